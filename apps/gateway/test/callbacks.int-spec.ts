import {
  newId,
  upstreamMessagesReceivedV1,
  upstreamNumberChangedV1,
  upstreamTemplateChangedV1,
} from '@switchboard/contracts';
import { eventually, recordingLogger } from '@switchboard/testing';
import { signCallback } from '@switchboard/upstream';
import { CleanupService } from '../src/cleanup/cleanup.service';
import { APP_SECRET, type GatewayUnderTest, startGateway, VERIFY_TOKEN } from './support/gateway';
import { type Answer, call } from './support/http';

const STATUS = { id: 'wamid.OUT', status: 'sent', timestamp: '1790416830', recipient_id: '919812345678' };
const messagesChange = {
  field: 'messages',
  value: { messaging_product: 'whatsapp', metadata: { phone_number_id: '2' }, statuses: [STATUS] },
};
const templateChange = {
  field: 'message_template_status_update',
  value: { event: 'APPROVED', message_template_id: 1689556908129832 },
};
const callback = (...changes: object[]): object => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '100', changes }],
  future: { field: 1 },
});

describe('upstream callback endpoint', () => {
  const { logger, lines } = recordingLogger();
  let gateway: GatewayUnderTest;

  beforeAll(async () => {
    gateway = await startGateway({ logger });
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close());

  const post = (body: string | Uint8Array, signature: string | undefined): Promise<Answer> =>
    call(`${gateway.url}/callbacks/upstream`, {
      body,
      headers: signature === undefined ? {} : { 'x-hub-signature-256': signature },
    });
  const postSigned = (body: object | string): Promise<Answer> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return post(text, signCallback(text, APP_SECRET));
  };
  const reported = (): Record<string, unknown>[] => gateway.fakes.of(upstreamMessagesReceivedV1);
  const stored = async (): Promise<string[]> => {
    const rows = await gateway.database.dataSource.query<{ body: Buffer }[]>(
      'SELECT body FROM callback_inbox ORDER BY id',
    );
    return rows.map(({ body }) => body.toString('utf8'));
  };

  it('logs at most 50 message ids per callback', async () => {
    const ids = Array.from({ length: 60 }, () => newId('msg'));
    const echoing = ids.map((id) => ({ ...STATUS, biz_opaque_callback_data: id }));
    const statuses = [STATUS, { ...STATUS, biz_opaque_callback_data: 'not ours' }, ...echoing];
    await postSigned(callback({ ...messagesChange, value: { ...messagesChange.value, statuses } }));
    const line = lines.find(({ msg, messages }) => msg === 'callback.accepted' && messages === 1);
    expect(line?.['messageIds']).toEqual(ids.slice(0, 50));
    // Waits until the event has been published, before the next test.
    await eventually(() => expect(reported().length).toBe(1));
  });

  it.each([
    [{ 'hub.mode': 'subscribe', 'hub.verify_token': VERIFY_TOKEN, 'hub.challenge': '1158201444' }, 200],
    [{ 'hub.mode': 'subscribe', 'hub.verify_token': 'wrong', 'hub.challenge': '1' }, 401],
    [{ 'hub.mode': 'unsubscribe', 'hub.verify_token': VERIFY_TOKEN, 'hub.challenge': '1' }, 401],
    [{ 'hub.mode': 'subscribe', 'hub.challenge': '1' }, 401],
    [{ 'hub.mode': 'subscribe', 'hub.verify_token': VERIFY_TOKEN }, 400],
    [{}, 401],
  ])('responds to the challenge %j with %s', async (query, status) => {
    const response = await fetch(
      `${gateway.url}/callbacks/upstream?${new URLSearchParams(query as Record<string, string>).toString()}`,
    );
    expect(response.status).toBe(status);
    if (status !== 200) return;
    expect(await response.text()).toBe('1158201444');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it('stores callbacks byte for byte before responding, then publishes them', async () => {
    const body = JSON.stringify(callback(messagesChange, templateChange)).replace('"sent"', '"s\\u0065nt"');
    expect((await postSigned(body)).status).toBe(200);
    expect(await stored()).toContain(body);
    await eventually(() => {
      expect(reported()).toEqual([
        { callbackId: expect.stringMatching(/^cb_/) as string, wabaId: '100', value: messagesChange.value },
      ]);
      expect(gateway.fakes.of(upstreamTemplateChangedV1)).toMatchObject([{ wabaId: '100', ...templateChange }]);
    });
  });

  it('returns 500 for a callback that could not be stored', async () => {
    await gateway.database.dataSource.query('ALTER TABLE callback_inbox RENAME TO callback_inbox_away');
    try {
      expect((await postSigned(callback(messagesChange))).status).toBe(500);
      const [{ waiting }] = (await gateway.database.dataSource.query(
        `SELECT count(*)::int AS waiting FROM outbox WHERE body LIKE '%${STATUS.id}%'`,
      )) as [{ waiting: number }];
      expect(waiting).toBe(0);
    } finally {
      await gateway.database.dataSource.query('ALTER TABLE callback_inbox_away RENAME TO callback_inbox');
    }
    expect(reported()).toEqual([]);
  });

  it('stores callbacks while requests use all connections', async () => {
    const { dataSource } = gateway.database;
    const waiting = `SELECT application_name AS name FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%callback_inbox%'`;
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('LOCK TABLE callback_inbox IN SHARE MODE');
    const answer = postSigned(callback(messagesChange));
    await eventually(async () =>
      expect(await dataSource.query(waiting)).toEqual([{ name: 'switchboard-gateway-events' }]),
    );
    await runner.rollbackTransaction();
    await runner.release();
    expect((await answer).status).toBe(200);
  });

  it('rejects a missing or wrong signature', async () => {
    const before = await stored();
    const text = JSON.stringify(callback(messagesChange));
    const good = signCallback(text, APP_SECRET);
    const wrong = [
      undefined,
      '',
      'sha256=',
      good.slice(0, -1),
      good.toUpperCase(),
      good.replace('sha256=', ''),
      signCallback(`${text} `, APP_SECRET),
      signCallback(text, 'other'),
    ];
    for (const signature of wrong) {
      const { status, body } = await post(text, signature);
      expect([status, body.code]).toEqual([401, 'UNAUTHORIZED']);
    }
    expect(await stored()).toEqual(before);
  });

  it('publishes changes of numbers and accounts', async () => {
    const changes = [
      { field: 'phone_number_quality_update', value: { display_phone_number: '15550783881', event: 'FLAGGED' } },
      { field: 'account_update', value: { event: 'ACCOUNT_RESTRICTION' } },
    ];
    expect((await postSigned(callback(...changes))).status).toBe(200);
    await eventually(() =>
      expect(gateway.fakes.of(upstreamNumberChangedV1)).toMatchObject(
        changes.map((change) => ({ wabaId: '100', ...change })),
      ),
    );
  });

  it('splits a thousand updates into events of a hundred', async () => {
    const statuses = Array.from({ length: 1_000 }, (_unused, index) => ({ ...STATUS, id: `wamid.${index}` }));
    const { metadata } = messagesChange.value;
    const single = statuses
      .slice(500)
      .map((status) => ({ field: 'messages', value: { messaging_product: 'whatsapp', metadata, statuses: [status] } }));
    expect(
      (
        await postSigned(
          callback(
            { ...messagesChange, value: { ...messagesChange.value, statuses: statuses.slice(0, 500) } },
            ...single,
          ),
        )
      ).status,
    ).toBe(200);
    const parts = (): { statuses: { id: string }[] }[] => reported().map(({ value }) => value as never);
    await eventually(() => expect(parts().flatMap((part) => part.statuses).length).toBe(1_000));
    expect(parts().map((part) => part.statuses.length)).toEqual(Array.from({ length: 10 }, () => 100));
    expect(new Set(parts().flatMap((part) => part.statuses.map(({ id }) => id))).size).toBe(1_000);
  });

  it('groups concurrent statuses by number', async () => {
    const { metadata } = messagesChange.value;
    const statusOf = (phoneNumberId: string, id: string) => ({
      field: 'messages',
      value: {
        messaging_product: 'whatsapp',
        metadata: { phone_number_id: phoneNumberId },
        statuses: [{ ...STATUS, id }],
      },
    });
    const ids = Array.from({ length: 60 }, (_unused, index) => `wamid.${String(index).padStart(2, '0')}`);
    const inbound = {
      field: 'messages',
      value: {
        messaging_product: 'whatsapp',
        metadata,
        messages: [{ id: 'wamid.IN' }],
        statuses: [{ ...STATUS, id: 'wamid.beside' }],
      },
    };
    const answers = await Promise.all([
      ...ids.map((id, index) => postSigned(callback(statusOf(String(index % 2), id)))),
      postSigned(callback(inbound)),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    interface Value {
      metadata: { phone_number_id: string };
      statuses: { id: string }[];
      messages?: object[];
    }
    const values = (): Value[] => reported().map(({ value }) => value as Value);
    await eventually(() => expect(values().flatMap(({ statuses }) => statuses).length).toBe(61));
    const ofNumber = (phoneNumberId: string): string[] =>
      values()
        .filter(({ metadata: of }) => of.phone_number_id === phoneNumberId)
        .flatMap(({ statuses }) => statuses.map(({ id }) => id));
    for (const parity of [0, 1])
      expect(ofNumber(String(parity)).sort()).toEqual(ids.filter((_id, index) => index % 2 === parity));
    expect(values().filter(({ messages }) => messages)).toMatchObject([
      { metadata, messages: [{ id: 'wamid.IN' }], statuses: [{ id: 'wamid.beside' }] },
    ]);
    expect(values().length).toBeLessThan(20);
  });

  it('deletes only expired callbacks', async () => {
    const { dataSource } = gateway.database;
    const [old, young] = [JSON.stringify(callback({ old: 1 })), JSON.stringify(callback({ young: 1 }))];
    for (const body of [old, young]) expect((await postSigned(body)).status).toBe(200);
    const hours = gateway.config.CALLBACK_RETENTION_HOURS;
    await dataSource.query(
      'UPDATE callback_inbox SET received_at = now() - make_interval(hours => $1) WHERE body = $2',
      [hours + 1, Buffer.from(old)],
    );
    expect(await gateway.app.get(CleanupService).deleteBatch('callbacks')).toBe(false);
    expect(await stored()).toContain(young);
    expect(await stored()).not.toContain(old);
  });

  it('deletes abandoned erasures together with the callbacks', async () => {
    const db = gateway.database.dataSource;
    const { accountId } = await gateway.customer();
    const hours = gateway.config.CALLBACK_RETENTION_HOURS;
    for (const [phone, age] of [
      ['4915112345601', hours + 1],
      ['4915112345602', hours - 1],
    ])
      await db.query(
        "INSERT INTO erasures (account_id, phone, names, begun_at) VALUES ($1, $2, '{}', now() - make_interval(hours => $3))",
        [accountId, phone, age],
      );
    await gateway.app.get(CleanupService).deleteBatch('erasures');
    expect(await db.query('SELECT phone FROM erasures')).toEqual([{ phone: '4915112345602' }]);
    await db.query('DELETE FROM erasures');
  });

  it('stores and acknowledges unknown fields', async () => {
    const body = callback({ field: 'security', value: { event: 'X' } });
    expect((await postSigned(body)).status).toBe(200);
    expect(await stored()).toContain(JSON.stringify(body));
  });

  it.each([
    ['{"entry":'],
    ['[]'],
    ['null'],
    ['"text"'],
    ['{}'],
    ['['.repeat(20_000)],
    ['{"entry":[null,{"changes":[1]},7]}'],
  ])('stores and acknowledges signed but invalid content (%#)', async (text) => {
    expect((await postSigned(text)).status).toBe(200);
    expect(await stored()).toContain(text);
  });

  it('accepts at most 3 MB', async () => {
    const filled = (bytes: number): string => `{"a":"${'x'.repeat(bytes - 8)}"}`;
    expect((await postSigned(filled(3 * 1_048_576))).status).toBe(200);
    const { status, body } = await postSigned(filled(3 * 1_048_576 + 1));
    expect([status, body.message]).toEqual([413, 'the body is too large: at most 3 MB']);
  });
});
