import {
  createEndpointV1,
  getReplayV1,
  listEventsV1,
  replayDroppedV1,
  replayEventV1,
  rotateSecretV1,
  sendTestEventV1,
  switchEndpointV1,
  updateEndpointV1,
} from '@switchboard/contracts';
import { inTransit } from '@switchboard/platform';
import { Browser } from './support/console';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { type OperatorUnderTest, operatorOn, testBox } from './support/operator';

const endpointId = 'ep_01jd0000000000000000000000';
const eventId = 'evt_01jd0000000000000000000000';

describe('operator console and webhook commands', () => {
  let gateway: GatewayUnderTest;
  let operator: OperatorUnderTest;
  let accountId: string;

  beforeAll(async () => {
    gateway = await startGateway({ standing: ['webhooks'] });
    operator = operatorOn(gateway);
    ({ accountId = '' } = await operator.json('accounts', 'create', '--name', 'Shop', '--plan', 'growth'));
  });
  beforeEach(() => {
    gateway.fakes.reset();
    gateway.fakes.answer(createEndpointV1, ({ accountId }) => ({
      ...createEndpointV1.sample.response,
      sealedSecret: testBox.seal('whsec_1', inTransit(createEndpointV1, 'sealedSecret', String(accountId))),
    }));
    gateway.fakes.answer(rotateSecretV1, ({ accountId }) => ({
      ...rotateSecretV1.sample.response,
      sealedSecret: testBox.seal('whsec_2', inTransit(rotateSecretV1, 'sealedSecret', String(accountId))),
    }));
  });
  afterAll(() => gateway.close());

  const webhooks = <T = Record<string, unknown>>(verb: string, ...args: string[]): Promise<T> =>
    operator.json<T>('webhooks', verb, '--account', accountId, ...args);
  const signIn = async (email: string, password: string): Promise<number> =>
    (await new Browser(gateway.url).signIn(email, password)).status;
  const audit = async (): Promise<{ action: string; target: string }[]> =>
    gateway.database.dataSource.query(
      `SELECT action, target FROM audit_log WHERE actor = 'cli:tester' AND account_id = $1 ORDER BY id COLLATE "C"`,
      [accountId],
    );

  it('create users with a generated or a piped password', async () => {
    const made = await operator.json(
      'users',
      'create',
      '--account',
      accountId,
      '--email',
      'Asha@Example.com',
      '--name',
      'Asha',
      '--role',
      'owner',
    );
    expect(made).toMatchObject({
      accountId,
      email: 'asha@example.com',
      role: 'owner',
      disabledAt: null,
      password: expect.stringMatching(/^\w{20}$/) as string,
    });
    expect(await signIn('asha@example.com', made.password ?? '')).toBe(200);
    const piped = await operator.run(
      [
        'users',
        'create',
        '--account',
        accountId,
        '--email',
        'b@example.com',
        '--name',
        'B',
        '--password-stdin',
        '--json',
      ],
      {},
      ['piped horse battery\n'],
    );
    expect(JSON.parse(piped.out)).toMatchObject({ role: 'viewer' });
    expect(piped.out).not.toContain('password');
    expect(await signIn('b@example.com', 'piped horse battery')).toBe(200);
    const { out } = await operator.run(['users', 'list', '--account', accountId]);
    expect(out).toContain('asha@example.com');
    expect(out).not.toMatch(/argon2|password/i);
  });

  it('disable and enable users, change role and password', async () => {
    const { userId = '', password = '' } = await operator.json(
      'users',
      'create',
      '--account',
      accountId,
      '--email',
      'c@example.com',
      '--name',
      'C',
    );
    const browser = new Browser(gateway.url);
    await browser.signIn('c@example.com', password);
    expect(await operator.json('users', 'set-role', '--user', userId, '--role', 'admin')).toMatchObject({
      role: 'admin',
    });
    expect((await browser.call('GET', '/console/v1/me')).body).toMatchObject({ user: { role: 'admin' } });
    await operator.json('users', 'disable', '--user', userId);
    expect([(await browser.call('GET', '/console/v1/me')).status, await signIn('c@example.com', password)]).toEqual([
      401, 401,
    ]);
    await operator.json('users', 'enable', '--user', userId);
    const reset = await operator.json('users', 'reset-password', '--user', userId);
    expect([await signIn('c@example.com', password), await signIn('c@example.com', reset.password ?? '')]).toEqual([
      401, 200,
    ]);
    const actions = (await audit()).filter(({ target }) => target === userId).map(({ action }) => action);
    expect(actions).toEqual(['user.create', 'user.set-role', 'user.disable', 'user.enable', 'user.set-password']);
  });

  it('find a user by e-mail address without an account', async () => {
    await operator.json('users', 'create', '--account', accountId, '--email', 'd@example.com', '--name', 'D');
    const reset = await operator.json('users', 'reset-password', '--email', 'D@Example.com');
    expect(await signIn('d@example.com', reset.password ?? '')).toBe(200);
    expect(await operator.json('users', 'disable', '--email', 'd@example.com')).toMatchObject({
      disabledAt: expect.any(String) as string,
    });
    expect(await operator.run(['users', 'reset-password', '--email', 'nobody@example.com'])).toMatchObject({
      code: 1,
      err: 'error: not found: there is no user nobody@example.com (NOT_FOUND)\n',
    });
  });

  it('require either an address or an id', async () => {
    expect(await operator.run(['users', 'disable'])).toMatchObject({
      code: 1,
      err: 'error: a required option is missing: --email <address> or --user <id> (INVALID_PARAMETER)\n',
    });
    const both = await operator.run(['users', 'disable', '--email', 'd@example.com', '--user', 'usr_1']);
    expect(both.err).toContain("option '--email <address>' cannot be used with option '--user <id>'");
  });

  it('add, list and change endpoints', async () => {
    expect(
      await webhooks(
        'add',
        '--url',
        'https://example.com/hook',
        '--verify-token',
        'verify-1',
        '--kind',
        'message',
        '--kind',
        'template_status',
        '--max-in-flight',
        '5',
      ),
    ).toMatchObject({ id: endpointId, secret: 'whsec_1' });
    const [{ sealedVerifyToken, ...asked } = {}] = gateway.fakes.of(createEndpointV1);
    const opened = testBox.open(String(sealedVerifyToken), inTransit(createEndpointV1, 'sealedVerifyToken', accountId));
    expect([asked, opened]).toEqual([
      { accountId, url: 'https://example.com/hook', kinds: ['message', 'template_status'], maxInFlight: 5 },
      'verify-1',
    ]);
    expect(await webhooks('list')).toMatchObject({ endpoints: [{ id: endpointId }] });
    await webhooks('change', '--endpoint', endpointId, '--all-kinds', '--max-in-flight', '7');
    expect(gateway.fakes.of(updateEndpointV1)).toEqual([{ accountId, endpointId, allKinds: true, maxInFlight: 7 }]);
    await webhooks('pause', '--endpoint', endpointId);
    await webhooks('enable', '--endpoint', endpointId);
    expect(gateway.fakes.of(switchEndpointV1).map(({ enabled }) => enabled)).toEqual([false, true]);
    expect(await webhooks('rotate', '--endpoint', endpointId)).toMatchObject({ secret: 'whsec_2' });
    await webhooks('confirm-rotation', '--endpoint', endpointId);
    expect(await webhooks('test', '--endpoint', endpointId, '--kind', 'message_status')).toMatchObject({ eventId });
    expect(gateway.fakes.of(sendTestEventV1)).toEqual([{ accountId, endpointId, kind: 'message_status' }]);
    expect(await webhooks('delete', '--endpoint', endpointId)).toMatchObject({ dropped: 3 });
  });

  it("read the log and show an event's attempts", async () => {
    await webhooks(
      'log',
      '--state',
      'dropped',
      '--kind',
      'message',
      '--endpoint',
      endpointId,
      '--since',
      '2026-03-01T00:00:00Z',
      '--message',
      'wamid.A',
      '--search',
      '9198',
      '--limit',
      '7',
    );
    const filter = {
      accountId,
      limit: 7,
      state: 'dropped',
      kind: 'message',
      endpointId,
      since: '2026-03-01T00:00:00.000Z',
      messageId: 'wamid.A',
      search: '9198',
    };
    expect(gateway.fakes.of(listEventsV1)).toEqual([filter]);
    expect(await webhooks('show', '--event', eventId)).toMatchObject({
      id: eventId,
      deliveries: [{ attempts: [{ attempt: 1, statusCode: 500 }] }],
    });
    expect((await operator.run(['webhooks', 'log', '--account', accountId])).out).toContain(eventId);
  });

  it('replay one event or all dropped ones, with progress', async () => {
    expect(await webhooks('replay', '--event', eventId)).toMatchObject({ deliveries: 1 });
    expect(gateway.fakes.of(replayEventV1)).toEqual([{ accountId, eventId }]);
    const { replay } = getReplayV1.sample.response;
    gateway.fakes.answer(getReplayV1, () => ({ replay }));
    const { out, err } = await operator.run([
      'webhooks',
      'replay',
      '--account',
      accountId,
      '--since',
      '2026-03-02T09:00:00Z',
    ]);
    expect(gateway.fakes.of(replayDroppedV1)).toEqual([{ accountId, since: '2026-03-02T09:00:00.000Z' }]);
    expect([err, out]).toEqual(['0 of 120 are in line again\n', expect.stringContaining('replayed: 120') as string]);
    expect(await webhooks('replay', '--since', '2026-03-02T09:00:00Z', '--no-wait')).toMatchObject({ replayed: 0 });
    expect(await webhooks('replay-progress', '--replay', replay.id)).toMatchObject({ replayed: 120 });
  });

  it('record every change without secrets', async () => {
    const verbs = [
      'create',
      'change',
      'pause',
      'enable',
      'rotate-secret',
      'confirm-rotation',
      'test',
      'delete',
      'replay',
      'replay-dropped',
    ];
    expect((await audit()).map(({ action }) => action)).toEqual(
      expect.arrayContaining(verbs.map((verb) => `webhook.${verb}`)),
    );
    expect(JSON.stringify(await gateway.database.dataSource.query('SELECT * FROM audit_log'))).not.toMatch(
      /whsec_|verify-1|argon2|horse/,
    );
  });

  it.each([
    [
      ['users', 'create', '--account', 'acc_none', '--email', 'x@example.com', '--name', 'x'],
      'NOT_FOUND',
      'there is no account acc_none',
    ],
    [
      ['users', 'create', '--account', 'acc_none', '--email', 'x', '--name', 'x'],
      'INVALID_PARAMETER',
      'x is not an e-mail address',
    ],
    [
      ['users', 'create', '--account', 'acc_none', '--email', 'x@example.com', '--name', 'x', '--role', 'king'],
      'INVALID_PARAMETER',
      'Allowed choices are',
    ],
    [
      ['users', 'create', '--account', 'acc_none', '--email', 'x@example.com', '--name', 'x', '--password-stdin'],
      'INVALID_PARAMETER',
      'no password was given',
    ],
    [['users', 'disable', '--user', 'usr_none'], 'NOT_FOUND', 'there is no user usr_none'],
    [['webhooks', 'list', '--account', 'acc_none'], 'NOT_FOUND', 'there is no account acc_none'],
    [['webhooks', 'log', '--account', 'acc_none', '--state', 'lost'], 'INVALID_PARAMETER', 'Allowed choices are'],
    [['webhooks', 'replay', '--account', 'acc_none'], 'MISSING_FIELD', '--event or --since'],
  ])('reject %j with an explanation', async (args, code, message) => {
    const { code: exitCode, out, err } = await operator.run([...args, '--json']);
    expect([exitCode, out, JSON.parse(err)]).toEqual([
      1,
      '',
      { success: false, message: expect.stringContaining(message) as string, code },
    ]);
  });
});
