import { type Broker, createBroker } from '@switchboard/broker';
import {
  DATA_KINDS,
  dataChangedV1,
  messageReceivedV1,
  messageStatusChangedV1,
  messageStatusChangedV2,
  newId,
  type ServiceName,
  templateStatusChangedV1,
  upstreamMessagesReceivedV1,
} from '@switchboard/contracts';
import { eventually, silentLogger } from '@switchboard/testing';
import { LiveStreams } from '../src/live/live-streams.service';
import type { GatewayConfig } from '../src/config';
import { signedIn, usersOn } from './support/console';
import { EventStreamClient } from './support/event-stream';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';

const SETTINGS: Partial<GatewayConfig> = {
  LIVE_HEARTBEAT_SECONDS: 1,
  LIVE_STREAMS_PER_USER: 2,
  LIVE_STREAMS_PER_ACCOUNT: 3,
  LIVE_STREAMS: 1_000,
};

const CONTACT = 'ct_01jd0000000000000000000000';

describe('live events', () => {
  let gateway: GatewayUnderTest;
  let second: GatewayUnderTest;
  let a: Customer;
  const brokers = new Map<ServiceName, Broker>();
  const opened: EventStreamClient[] = [];

  beforeAll(async () => {
    gateway = await startGateway({ settings: SETTINGS });
    second = await startGateway({ beside: gateway, settings: SETTINGS });
    a = await gateway.customer();
    for (const service of ['messaging', 'jobs', 'webhooks', 'templates'] as const) {
      const { RABBITMQ_URL: url, BROKER_NAMESPACE: namespace } = gateway.config;
      const broker = createBroker({ service, url, namespace, logger: silentLogger });
      await broker.connect();
      brokers.set(service, broker);
    }
  });
  beforeEach(async () => {
    a = await gateway.customer();
    await gateway.database.dataSource.query('DELETE FROM sign_in_attempts');
  });
  afterEach(() => opened.splice(0).forEach((stream) => stream.close()));
  afterAll(async () => {
    await Promise.all([...brokers.values()].map((broker) => broker.close()));
    await second.close();
    await gateway.close();
  });

  const open = async (
    browser: { cookie: string },
    { at = gateway, lastEventId }: { at?: GatewayUnderTest; lastEventId?: string } = {},
  ): Promise<EventStreamClient> => {
    const stream = await EventStreamClient.open(at.url, browser, lastEventId === undefined ? {} : { lastEventId });
    opened.push(stream);
    await eventually(() => expect(stream.of('ready')).toHaveLength(1));
    return stream;
  };
  const from = (service: ServiceName): Broker => brokers.get(service) as Broker;
  const receive = (accountId: string, id = newId('msg')) =>
    from('messaging').publish(messageReceivedV1, { ...messageReceivedV1.sample, accountId, id });

  it('reach browsers at every gateway', async () => {
    const browser = await signedIn(gateway, a.accountId, 'viewer');
    const streams = await Promise.all([open(browser), open(browser, { at: second })]);
    const [id, jobId] = [newId('msg'), newId('job')];
    const begunAt = performance.now();
    await Promise.all([
      receive(a.accountId, id),
      from('jobs').publish(dataChangedV1, { changes: [{ accountId: a.accountId, kind: 'job', ids: [jobId] }] }),
      from('messaging').publish(dataChangedV1, {
        changes: [{ accountId: a.accountId, kind: 'conversation', ids: [CONTACT] }],
      }),
      from('webhooks').publish(dataChangedV1, { changes: [{ accountId: a.accountId, kind: 'webhook' }] }),
      from('templates').publish(templateStatusChangedV1, { ...templateStatusChangedV1.sample, accountId: a.accountId }),
      from('messaging').publish(messageStatusChangedV2, {
        changes: [{ ...messageStatusChangedV1.sample, accountId: a.accountId }],
      }),
    ]);
    for (const stream of streams) {
      await eventually(() =>
        expect([...stream.kinds].sort()).toEqual(['conversation', 'job', 'message', 'status', 'template', 'webhook']),
      );
      expect(stream.ids).toEqual(expect.arrayContaining([id, jobId]));
    }
    process.stdout.write(`hints at two gateways after ${Math.round(performance.now() - begunAt)} ms\n`);
    expect(Object.fromEntries((streams[0] as EventStreamClient).headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
  });

  it('contain no content and no data from other accounts (guarantee 18 of ADR 41)', async () => {
    const b = await gateway.customer();
    const [ofA, ofB] = await Promise.all([
      open(await signedIn(gateway, a.accountId)),
      open(await signedIn(gateway, b.accountId)),
    ]);
    const [idOfA, idOfB] = [newId('msg'), newId('msg')];
    await receive(b.accountId, idOfB);
    await from('messaging').publish(messageStatusChangedV2, {
      changes: [b, a].map(({ accountId }) => ({
        ...messageStatusChangedV1.sample,
        accountId,
        id: accountId === b.accountId ? idOfB : idOfA,
      })),
    });
    await eventually(() => expect(ofB.kinds).toEqual(expect.arrayContaining(['message', 'status'])));
    await eventually(() => expect(ofA.ids).toContain(idOfA));
    expect(ofA.kinds).toEqual(['status']);
    for (const secret of [idOfB, b.accountId]) expect(ofA.text).not.toContain(secret);
    const { from: phone, to, name, content } = messageReceivedV1.sample;
    for (const value of [phone, to, name, Object.values(content ?? {})[0]])
      expect(ofB.text).not.toContain(String(value));
  });

  it('send presence to users of the same account only, on every gateway', async () => {
    const [me, colleague, stranger] = [
      await signedIn(gateway, a.accountId, 'agent'),
      await signedIn(gateway, a.accountId, 'viewer'),
      await signedIn(gateway, (await gateway.customer()).accountId),
    ];
    const [own, near, far, foreign] = await Promise.all([
      open(me),
      open(colleague),
      open(colleague, { at: second }),
      open(stranger),
    ]);
    const show = (state: string, browser = me) =>
      browser.call('POST', '/console/v1/presence', { body: { contactId: CONTACT, state } });
    // Events of the sign-ins above are published first.
    const before = await eventually(async () => {
      const counts = await counted();
      expect(counts).toMatchObject([{ outgoing: '0' }]);
      return counts;
    });
    expect((await show('writing')).body).toMatchObject({ passedOn: true });
    const data = { contactId: CONTACT, userId: me.user.userId, state: 'writing' };
    for (const stream of [near, far])
      await eventually(() => expect(stream.of('presence').map((event) => event.data)).toEqual([data]));
    expect(await counted()).toEqual(before);
    // A later hint has arrived, so an earlier event would have as well.
    for (const accountId of [a.accountId, stranger.user.accountId]) await receive(accountId);
    for (const stream of [own, foreign]) {
      await eventually(() => expect(stream.kinds).toContain('message'));
      expect(stream.of('presence')).toEqual([]);
    }
    expect(near.of('presence')[0]?.id).toBeUndefined();
    const resumed = await open(colleague, { lastEventId: near.lastEventId });
    expect(resumed.of('presence')).toEqual([]);
    for (const body of [{ contactId: 'ct_1', state: 'writing' }, { contactId: CONTACT, state: 'asleep' }, {}])
      expect((await me.call('POST', '/console/v1/presence', { body })).status).toBeGreaterThanOrEqual(400);
    expect((await show('writing', colleague)).body.code).toBe('ROLE_NOT_ALLOWED');
    const answers = await Promise.all(Array.from({ length: 30 }, () => show('viewing')));
    expect(answers.some(({ status, body }) => status === 429 && body.code === 'RATE_LIMITED')).toBe(true);
  });

  /** Counts the rows of tables in which presence could be stored. */
  /** Counts audit entries and events, without the heartbeats of callbacks. */
  const counted = (): Promise<unknown> =>
    gateway.database.dataSource.query(
      `SELECT (SELECT count(*) FROM audit_log) AS audited, (SELECT count(*) FROM outbox WHERE name <> $1) AS outgoing,
        (SELECT count(*) FROM published WHERE name <> $1) AS published`,
      [upstreamMessagesReceivedV1.name],
    );

  it('resume after the last event id, or request a resync', async () => {
    const browser = await signedIn(gateway, a.accountId);
    const first = await open(browser);
    const [before, missed] = [newId('msg'), newId('msg')];
    await receive(a.accountId, before);
    await eventually(() => expect(first.ids).toEqual([before]));
    const { lastEventId } = first;
    first.close();
    await receive(a.accountId, missed);
    const resumed = await eventually(async () => {
      const stream = await open(browser, { lastEventId });
      stream.close();
      expect(stream.ids).toEqual([missed]);
      return stream;
    });
    expect(resumed.of('resync')).toEqual([]);
    const fresh = await open(browser);
    expect(fresh.events.map(({ event }) => event)).toEqual(['ready']);
    fresh.close();
    for (const [at, unknown] of [
      [gateway, 'x'],
      [gateway, `${lastEventId.split('.')[0]}.999`],
      [second, lastEventId],
    ] as const) {
      const stream = await open(browser, { at, lastEventId: unknown });
      expect(stream.events.map(({ event }) => event)).toEqual(['resync', 'ready']);
      stream.close();
    }
  });

  it('return 429 above the limits per user, account and gateway', async () => {
    const [one, other] = [await signedIn(gateway, a.accountId), await signedIn(gateway, a.accountId, 'viewer')];
    const streams = [await open(one), await open(one)];
    const refusal = (browser: { cookie: string }) =>
      open(browser).then(
        () => undefined,
        (error: object) => error,
      );
    const limited = (message: string) => ({
      status: 429,
      body: { code: 'RATE_LIMITED', message: expect.stringContaining(message) as string },
    });
    expect(await refusal(one)).toMatchObject(limited('you may have 2 event streams'));
    await open(other);
    expect(await refusal(other)).toMatchObject(limited('your account may have 3 event streams'));
    streams[0]?.close();
    await eventually(() => open(one));
    const small = await startGateway({ beside: gateway, settings: { ...SETTINGS, LIVE_STREAMS: 0 } });
    const stranger = await signedIn(gateway, (await gateway.customer()).accountId);
    const outcome = EventStreamClient.open(small.url, stranger);
    await expect(outcome).rejects.toMatchObject(limited('this server has no more room'));
    await small.close();
  });

  it('end when the session or the role ends', async () => {
    const [signingOut, demoted, disabled, untouched] = (await Promise.all(
      [1, 2, 3, 4].map(async () => signedIn(gateway, (await gateway.customer()).accountId, 'admin')),
    )) as [Awaited<ReturnType<typeof signedIn>>, ...Awaited<ReturnType<typeof signedIn>>[]];
    if (!demoted || !disabled || !untouched) throw new Error('four browsers are needed');
    const ending = await Promise.all([open(signingOut), open(demoted), open(disabled)]);
    const staying = await open(untouched);
    await signingOut.call('DELETE', '/console/v1/session');
    await usersOn(gateway).setRole(demoted.user.userId, 'viewer', 'test');
    await gateway.database.dataSource.query('UPDATE users SET disabled_at = now() WHERE id = $1', [
      disabled.user.userId,
    ]);
    for (const stream of ending) await eventually(() => expect(stream.isOver).toBe(true));
    const beats = staying.of('heartbeat').length;
    await eventually(() => expect(staying.of('heartbeat').length).toBeGreaterThan(beats + 1));
    expect(staying.isOver).toBe(false);
  });

  it('neither extend an idle session nor occupy a read slot', async () => {
    const { dataSource } = gateway.database;
    const browser = await signedIn(gateway, a.accountId);
    const seenAt = async () =>
      dataSource.query('SELECT seen_at FROM sessions WHERE account_id = $1', [a.accountId]) as Promise<unknown>;
    await dataSource.query("UPDATE sessions SET seen_at = now() - interval '5 minutes' WHERE account_id = $1", [
      a.accountId,
    ]);
    const before = await seenAt();
    const other = await signedIn(gateway, a.accountId);
    const stale = await seenAt();
    // As many as the reads that an account may have in progress.
    await Promise.all([open(browser), open(browser)]);
    expect(await seenAt()).toEqual(stale);
    expect(before).toHaveLength(1);
    expect((await other.call('GET', '/console/v1/me')).status).toBe(200);
  });

  it('combine the changes of a large job into few hints', async () => {
    const stream = await open(await signedIn(gateway, a.accountId));
    const begunAt = performance.now();
    const changes = Array.from({ length: 50 }, () => ({
      ...messageStatusChangedV1.sample,
      accountId: a.accountId,
      id: newId('msg'),
    }));
    for (let event = 0; event < 100; event += 1) await from('messaging').publish(messageStatusChangedV2, { changes });
    await receive(a.accountId);
    await eventually(() => expect(stream.kinds).toContain('message'));
    const most = Math.ceil((performance.now() - begunAt) / 250) + 1;
    expect(stream.of('hint').length).toBeLessThanOrEqual(most);
    expect(stream.text.length).toBeLessThan(most * 1_500);
    const statuses = stream.of('hint').flatMap(({ data }) => data.changes as { kind: string; ids?: string[] }[]);
    expect(statuses.find(({ kind }) => kind === 'status')).toEqual({ kind: 'status' });
  });

  it('close the stream of a browser that does not read', async () => {
    const streams = gateway.app.get(LiveStreams);
    const browser = await signedIn(gateway, a.accountId);
    const user = { userId: browser.user.userId, role: 'owner', account: { id: a.accountId } } as never;
    const out = streams.open({ user, token: browser.cookie.split('=')[1] ?? '', lastEventId: undefined });
    let unread = -1;
    await eventually(() => {
      // Once the latest hint is written, the largest possible hint follows.
      if (out.readableLength > unread)
        for (const kind of DATA_KINDS)
          streams.note({ accountId: a.accountId, kind, ids: Array.from({ length: 20 }, () => newId('msg')) });
      unread = out.readableLength;
      expect(out.destroyed).toBe(true);
    });
    expect(unread).toBeLessThan(40_000);
  });

  it('end at shutdown, and the browser resumes at another gateway', async () => {
    const third = await startGateway({ beside: gateway, settings: SETTINGS });
    const browser = await signedIn(gateway, a.accountId);
    const stream = await open(browser, { at: third });
    await third.close();
    await eventually(() => expect(stream.isOver).toBe(true));
    const next = await open(browser, { lastEventId: stream.lastEventId });
    expect(next.events.map(({ event }) => event)).toEqual(['resync', 'ready']);
  });
});
