import { eventually } from '@switchboard/testing';
import { startSimulator, type StartedSimulator, WABA_ID } from './start-simulator';

let simulator: StartedSimulator;
beforeEach(async () => {
  simulator = await startSimulator();
});
afterEach(() => simulator.close());

const STATUS = 'message_template_status_update';
const components = [
  { type: 'BODY', text: 'Your order {{1}} is ready to be fetched.', example: { body_text: [['A-17']] } },
];
const creation = (change: object = {}): object => ({
  name: 'order_ready',
  language: 'en_US',
  category: 'UTILITY',
  components,
  ...change,
});

async function create(change: object = {}): Promise<string> {
  const { status, body } = await simulator.graph('POST', `${WABA_ID}/message_templates`, creation(change));
  expect([status, body]).toEqual([
    200,
    { id: expect.stringMatching(/^\d{16}$/), status: 'PENDING', category: expect.any(String) },
  ]);
  return String(body.id);
}

const events = () =>
  simulator.changes(STATUS).map(({ event, message_template_id: id }) => `${String(event)} ${String(id)}`);
const statusOf = async (id: string) => (await simulator.graph('GET', `${id}?fields=status`)).body.status;
const send = (name = 'order_ready', language = 'en_US') =>
  simulator.send({
    template: {
      name,
      language: { code: language },
      components: [{ type: 'body', parameters: [{ type: 'text', text: 'A-17' }] }],
    },
  });
const subcode = async (call: Promise<{ body: Record<string, unknown> }>) =>
  ((await call).body.error as { error_subcode?: number }).error_subcode;

describe('a new template', () => {
  it('is pending and not sendable until its review approves it', async () => {
    const id = await create();
    await expect(send()).rejects.toMatchObject({ code: 132001 });
    await eventually(() => expect(events()).toEqual([`APPROVED ${id}`]));
    expect(await send()).toMatch(/^wamid\./);
    expect(simulator.changes(STATUS)[0]).toEqual({
      event: 'APPROVED',
      message_template_id: Number(id),
      message_template_name: 'order_ready',
      message_template_language: 'en_US',
      reason: 'NONE',
      message_template_category: 'UTILITY',
    });
  });

  it('is rejected for adjacent variables or a magic name', async () => {
    await create({
      components: [
        { type: 'BODY', text: 'Your order {{1}} {{2}} is ready to be fetched.', example: { body_text: [['a', 'b']] } },
      ],
    });
    await eventually(() =>
      expect(simulator.changes(STATUS)).toMatchObject([
        {
          event: 'REJECTED',
          reason: 'INVALID_FORMAT',
          rejection_info: { reason: 'Your template has parameters placed next to each other.' },
        },
      ]),
    );
    const id = await create({ name: 'reject_me' });
    await eventually(async () =>
      expect((await simulator.graph('GET', `${id}?fields=status,rejected_reason`)).body).toEqual({
        id,
        status: 'REJECTED',
        rejected_reason: 'INVALID_FORMAT',
      }),
    );
  });

  it('stays pending for a magic name until a decision is forced', async () => {
    const id = await create({ name: 'hold_this' });
    await create({ name: 'another' });
    await eventually(() => expect(events().length).toBe(1));
    expect(await statusOf(id)).toBe('PENDING');
    await simulator.control('templates/hold_this/status', { language: 'en_US', event: 'APPROVED' });
    expect(await statusOf(id)).toBe('APPROVED');
  });

  it('is recategorized as marketing if promotional', async () => {
    const id = await create({
      components: [
        { type: 'BODY', text: 'Our summer sale starts on {{1}}, see you there.', example: { body_text: [['Monday']] } },
      ],
    });
    await eventually(() => expect(events()).toEqual([`APPROVED ${id}`]));
    expect(simulator.changes('template_category_update')).toMatchObject([
      { message_template_id: Number(id), previous_category: 'UTILITY', new_category: 'MARKETING' },
    ]);
    expect((await simulator.graph('GET', `${id}?fields=category,previous_category`)).body).toEqual({
      id,
      category: 'MARKETING',
      previous_category: 'UTILITY',
    });
  });

  it('is unique per name and language', async () => {
    await create();
    expect(await subcode(simulator.graph('POST', `${WABA_ID}/message_templates`, creation()))).toBe(2388024);
    await create({ language: 'de' });
    expect(
      (await simulator.graph('GET', `${WABA_ID}/message_templates?name=order_ready&fields=language`)).body.data,
    ).toMatchObject([{ language: 'en_US' }, { language: 'de' }]);
  });

  it('is rejected with the subcode of the invalid part', async () => {
    const { status, body } = await simulator.graph(
      'POST',
      `${WABA_ID}/message_templates`,
      creation({ components: [{ type: 'FOOTER', text: 'x' }] }),
    );
    expect([status, body]).toMatchObject([
      400,
      {
        error: {
          message: 'Invalid parameter',
          code: 100,
          error_subcode: 2388072,
          is_transient: false,
          error_user_title: expect.any(String),
          error_user_msg: expect.any(String),
        },
      },
    ]);
  });
});

describe('a template edit', () => {
  it('is reviewed again, at most once a day for an approved template', async () => {
    const id = await create();
    await eventually(async () => expect(await statusOf(id)).toBe('APPROVED'));
    const text = 'Your order {{1}} waits for you in the shop.';
    const edit = (body: object) => simulator.graph('POST', id, body);
    expect(await edit({ components: [{ ...components[0], text }] })).toEqual({ status: 200, body: { success: true } });
    expect(await statusOf(id)).toBe('PENDING');
    expect(await subcode(edit({ components }))).toBe(2388039);
    await eventually(async () =>
      expect((await simulator.graph('GET', id)).body).toMatchObject({ status: 'APPROVED', components: [{ text }] }),
    );
    expect(await subcode(edit({ components }))).toBe(2388039);
    expect(await subcode(edit({ category: 'MARKETING' }))).toBe(2388039);
    expect((await edit({ message_send_ttl_seconds: 60 })).status).toBe(200);
  });
});

describe('template quality', () => {
  it('pauses twice when red, resumes automatically, then disables', async () => {
    const rate = (score: string) => simulator.control('templates/hello_world/quality', { language: 'en_US', score });
    const last = () => simulator.changes(STATUS).at(-1);
    await rate('YELLOW');
    for (const title of ['FIRST_PAUSE', 'SECOND_PAUSE']) {
      await rate('RED');
      await eventually(() => expect(last()).toMatchObject({ event: 'PAUSED', other_info: { title } }));
      await expect(simulator.send()).rejects.toMatchObject({ code: 132015 });
      await eventually(() => expect(last()).toMatchObject({ event: 'APPROVED', other_info: { title: 'UNPAUSE' } }));
    }
    await rate('RED');
    await eventually(() =>
      expect(last()).toMatchObject({ event: 'DISABLED', disable_info: { disable_date: expect.any(String) } }),
    );
    await expect(simulator.send()).rejects.toMatchObject({ code: 132016 });
    const scores = simulator
      .changes('message_template_quality_update')
      .map((change) => [change.previous_quality_score, change.new_quality_score].join());
    expect(scores).toEqual(['UNKNOWN,YELLOW', 'YELLOW,RED', 'RED,RED', 'RED,RED']);
    expect(await subcode(simulator.graph('DELETE', `${WABA_ID}/message_templates?name=hello_world`))).toBe(2388039);
  });

  it('pauses a paced template until it is unpaused manually', async () => {
    const unpause = () => simulator.graph('POST', '1387372356726669/unpause');
    expect(await subcode(unpause())).toBe(2388039);
    await simulator.control('templates/hello_world/status', { event: 'PAUSED', reason: 'RATE_LIMITING_PAUSE' });
    await expect(simulator.send()).rejects.toMatchObject({ code: 132015 });
    expect((await unpause()).body).toEqual({ success: true });
    expect(await simulator.send()).toMatch(/^wamid\./);
  });
});

describe('a template deletion', () => {
  const remove = (query: string) => simulator.graph('DELETE', `${WABA_ID}/message_templates?${query}`);

  it('removes all languages by name or one by id, and blocks approved names', async () => {
    const [english, german] = [await create(), await create({ language: 'de' })];
    await eventually(() => expect(events().length).toBe(2));
    expect((await remove(`hsm_id=${german}&name=order_ready`)).body).toEqual({ success: true });
    expect(await statusOf(english)).toBe('APPROVED');
    await create({ name: 'two' });
    await create({ name: 'two', language: 'de' });
    expect((await remove('name=two')).body).toEqual({ success: true });
    expect((await simulator.graph('GET', `${WABA_ID}/message_templates?name=two`)).body).toEqual({ data: [] });
    await remove('name=order_ready');
    expect(await subcode(simulator.graph('POST', `${WABA_ID}/message_templates`, creation()))).toBe(2388023);
    expect(await remove('name=no_such')).toMatchObject({ status: 400, body: { error: { code: 100 } } });
  });

  it('waits for messages in flight', async () => {
    await simulator.send();
    await remove('name=hello_world');
    await eventually(() => expect(events()).toEqual(['PENDING_DELETION 1387372356726669', 'DELETED 1387372356726669']));
    expect(simulator.changes(STATUS)[0]).toMatchObject({ reason: null });
  });
});
