import {
  addNumberV1,
  AppError,
  type CheckNumberReply,
  checkNumberV1,
  createEndpointV1,
  getMessageV1,
  listEndpointsV1,
  listMessagesV1,
  listNumbersV1,
  prepareNumberV1,
  sendMessageV1,
} from '@switchboard/contracts';
import { inTransit } from '@switchboard/platform';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';
import { type OperatorUnderTest, operatorOn, testBox } from './support/operator';

interface SetUp {
  accountId: string;
  password?: string;
  apiKey?: string;
  webhookSecret?: string;
  steps: { step: string; outcome: string; detail: string }[];
}

const TOKENS = {
  UPSTREAM_ACCESS_TOKEN: 'upstream-token-1',
  WEBHOOK_VERIFY_TOKEN: 'verify-token-1',
  PUBLIC_BASE_URL: 'https://sb.example/',
};
const NUMBER = ['--waba-id', '100000000000001', '--phone-number', '15550783881'];
const WEBHOOK = ['--webhook-url', 'https://shop.example/hook'];
const MESSAGE = ['--to', '919812345678'];
const ok = (check: string) => ({ check, state: 'ok', found: 'It is there.', remedy: null });
const missing = (check: string) => ({ check, state: 'missing', found: 'It is not there.', remedy: 'Mend it.' });

describe('ops setup', () => {
  let gateway: GatewayUnderTest;
  let operator: OperatorUnderTest;
  let accounts = 0;

  beforeAll(async () => {
    gateway = await startGateway({ standing: ['messaging', 'templates', 'webhooks'] });
    operator = operatorOn(gateway);
  });
  afterAll(() => gateway.close());

  /**
   * Returns options for a new account and owner, unique to the test. The services have no number, endpoint or message
   * for the account.
   */
  const newOwner = (): string[] => {
    accounts += 1;
    gateway.fakes.reset();
    gateway.fakes.answer(listNumbersV1, () => ({ numbers: [] }));
    gateway.fakes.answer(listEndpointsV1, () => ({ endpoints: [] }));
    gateway.fakes.answer(listMessagesV1, () => ({
      ...listMessagesV1.sample.response,
      messages: [],
      total: 0,
    }));
    registered('ok');
    gateway.fakes.answer(createEndpointV1, ({ accountId }) => ({
      ...createEndpointV1.sample.response,
      sealedSecret: testBox.seal('whsec_1', inTransit(createEndpointV1, 'sealedSecret', String(accountId))),
    }));
    return ['--name', `Shop ${accounts}`, '--email', `Owner-${accounts}@shop.example`];
  };
  const registered = (state: 'ok' | 'missing'): void => {
    const reply: Partial<CheckNumberReply> = {
      wabaId: '100000000000001',
      phoneNumberId: '200000000000002',
      isAdded: false,
      checks: [
        ...['token', 'permissions', 'business', 'number', 'subscription'].map(ok),
        state === 'ok' ? ok('registration') : missing('registration'),
      ] as CheckNumberReply['checks'],
    };
    gateway.fakes.answer(checkNumberV1, () => reply);
  };
  const setUp = async (args: string[], overrides: Record<string, string> = TOKENS) => {
    const ran = await operator.run(['setup', ...args, '--json'], overrides);
    const result = JSON.parse(ran.out || ran.err) as SetUp & { code?: string; message?: string };
    const outcomes = Object.fromEntries(result.steps?.map(({ step, outcome }) => [step, outcome]) ?? []);
    return { code: ran.code, result, outcomes };
  };

  it('creates everything up to the first message', async () => {
    const { code, result, outcomes } = await setUp([...newOwner(), ...NUMBER, ...WEBHOOK, ...MESSAGE]);
    expect([code, outcomes]).toEqual([
      0,
      { account: 'done', owner: 'done', key: 'done', number: 'done', webhook: 'done', message: 'done' },
    ]);
    expect(result).toMatchObject({
      dashboard: 'https://sb.example/dashboard',
      email: `owner-${accounts}@shop.example`,
      api: 'https://sb.example/v1',
      webhookSecret: 'whsec_1',
    });
    const me = await call(`${gateway.url}/v1/me`, { key: result.apiKey });
    expect([me.status, me.body.account]).toMatchObject([200, { id: result.accountId, name: `Shop ${accounts}` }]);
    const users = await operator.json<{ users: object[] }>('users', 'list', '--account', result.accountId);
    expect(users.users).toMatchObject([{ role: 'owner', email: `owner-${accounts}@shop.example` }]);
    expect(gateway.fakes.of(sendMessageV1)).toMatchObject([
      { message: { to: '919812345678', type: 'template', template: { name: 'hello_world' } } },
    ]);
    const [endpoint] = gateway.fakes.of(createEndpointV1);
    const place = inTransit(createEndpointV1, 'sealedVerifyToken', result.accountId);
    expect(testBox.open(String(endpoint?.['sealedVerifyToken']), place)).toBe('verify-token-1');
  });

  it('changes nothing and shows no secret when repeated', async () => {
    const args = [...newOwner(), ...NUMBER, ...WEBHOOK, ...MESSAGE];
    const first = await setUp(args);
    gateway.fakes.answer(listNumbersV1, () => listNumbersV1.sample.response);
    gateway.fakes.answer(checkNumberV1, () => ({
      wabaId: '100000000000001',
      phoneNumberId: '200000000000002',
      isAdded: true,
      checks: ['token', 'permissions', 'business', 'number', 'subscription', 'registration'].map(ok),
    }));
    gateway.fakes.answer(listEndpointsV1, () => ({
      endpoints: [{ ...createEndpointV1.sample.response.endpoint, url: 'https://shop.example/hook' }],
    }));
    gateway.fakes.answer(listMessagesV1, () => listMessagesV1.sample.response);
    gateway.fakes.received.length = 0;
    const { code, result, outcomes } = await setUp(args);
    expect([code, Object.values(outcomes)]).toEqual([0, Array(6).fill('unchanged')]);
    expect(result.accountId).toBe(first.result.accountId);
    expect(Object.keys(result)).not.toEqual(expect.arrayContaining(['password']));
    expect([result.password, result.apiKey, result.webhookSecret]).toEqual([undefined, undefined, undefined]);
    for (const contract of [prepareNumberV1, addNumberV1, createEndpointV1, sendMessageV1])
      expect(gateway.fakes.of(contract)).toEqual([]);
  });

  it('creates only an account without further options', async () => {
    const { code, outcomes } = await setUp(newOwner());
    expect([code, outcomes]).toMatchObject([
      0,
      { key: 'done', number: 'skipped', webhook: 'skipped', message: 'skipped' },
    ]);
    expect(gateway.fakes.received).toEqual([]);
  });

  it('shows the created secrets if the number fails', async () => {
    const args = [...newOwner(), ...NUMBER, ...WEBHOOK, ...MESSAGE];
    gateway.fakes.answer(checkNumberV1, () => {
      throw new AppError('UPSTREAM_ERROR', { message: 'the token has expired' });
    });
    const { code, result, outcomes } = await setUp(args);
    expect([code, result.code, outcomes]).toMatchObject([
      1,
      'UPSTREAM_ERROR',
      { number: 'failed', webhook: 'done', message: 'not reached' },
    ]);
    expect(result.message).toBe('number: the token has expired. Repeat the command: it does what is missing');
    expect([result.password, result.apiKey, result.webhookSecret]).toEqual(Array(3).fill(expect.any(String)));
    expect(gateway.fakes.of(sendMessageV1)).toEqual([]);
  });

  it('sends another message if the first one failed', async () => {
    const args = [...newOwner(), ...MESSAGE];
    const [message] = listMessagesV1.sample.response.messages;
    const error = { code: 131026, title: 'Undeliverable', message: 'x', category: 'undeliverable', retriable: false };
    const failed = { ...message, status: 'failed', error };
    gateway.fakes.answer(listMessagesV1, () => ({ ...listMessagesV1.sample.response, messages: [failed] }));
    gateway.fakes.answer(getMessageV1, () => ({ message: failed }));
    const { code, result, outcomes } = await setUp(args);
    expect([code, outcomes]).toMatchObject([1, { message: 'failed' }]);
    expect(result.message).toMatch(/^message: msg_\w+ to 919812345678 failed: Undeliverable\./);
    expect(gateway.fakes.of(sendMessageV1)).toHaveLength(1);
  });

  it.each([
    ['no account', ['--to', '1'], '--name <name>, --email <address>'],
    [
      'half a number',
      ['--name', 'A', '--email', 'a@b.c', '--phone-number', '15550783881'],
      '--waba-id <id>, UPSTREAM_ACCESS_TOKEN in the environment',
    ],
    ['no tokens', ['--name', 'A', '--email', 'a@b.c', ...NUMBER], 'UPSTREAM_ACCESS_TOKEN in the environment'],
    ['no verify token', ['--name', 'A', '--email', 'a@b.c', ...WEBHOOK], 'WEBHOOK_VERIFY_TOKEN in the environment'],
  ])('fails without a terminal if given %s', async (_, args, names) => {
    newOwner();
    const { code, result } = await setUp(args, { UPSTREAM_ACCESS_TOKEN: '', WEBHOOK_VERIFY_TOKEN: '' });
    expect([code, result.code, result.message]).toEqual([1, 'MISSING_FIELD', `required and missing: ${names}`]);
    expect(gateway.fakes.received).toEqual([]);
  });

  it('rejects an unknown plan before any change', async () => {
    const { code, result } = await setUp([...newOwner(), '--plan', 'golden']);
    expect([code, result.message]).toEqual([1, 'there is no plan golden']);
  });

  it('prompts for missing values and a required PIN', async () => {
    newOwner();
    registered('missing');
    const answers = {
      'Name of the account': `Terminal ${accounts}`,
      'E-mail address': `terminal-${accounts}@shop.example`,
      'Number to connect': '15550783881',
      'Its WhatsApp': '100000000000001',
      'Its access token': 'typed-token',
      "The number's six-digit PIN": '482913',
      'URL of your webhook': '',
      'Send the first message': '919812345678',
    };
    const ran = await operator.runAtTerminal(['setup'], answers, { UPSTREAM_ACCESS_TOKEN: '' });
    expect([ran.code, ran.err]).toEqual([0, expect.stringContaining('Name of the account: ')]);
    expect(ran.out).toMatch(/^password: \S+ {2}\(shown once; ops users reset-password sets a new one\)$/m);
    expect(ran.out).toMatch(/^apiKey: sb_live_\w+ {2}\(shown once/m);
    expect(ran.out).toMatch(/^number +done +15550783881, business account 100000000000001$/m);
    expect(ran.out).toMatch(/^webhook +skipped/m);
    expect(ran.out + ran.err).not.toMatch(/typed-token|482913/);
    const [prepared] = gateway.fakes.of(prepareNumberV1).filter(({ step }) => step === 'register');
    const accountId = String(/accountId: (\S+)/.exec(ran.out)?.[1]);
    expect(testBox.open(String(prepared?.['sealedPin']), inTransit(prepareNumberV1, 'sealedPin', accountId))).toBe(
      '482913',
    );
  });
});
