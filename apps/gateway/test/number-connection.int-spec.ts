import {
  AppError,
  type CheckNumberReply,
  addNumberV1,
  checkNumberV1,
  getSyncV1,
  listNumbersV1,
  newId,
  prepareNumberV1,
} from '@switchboard/contracts';
import { inTransit } from '@switchboard/platform';
import { signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { operatorOn, testBox } from './support/operator';

const [NUMBER] = listNumbersV1.sample.response.numbers;
const ok = (check: string) => ({ check, state: 'ok', found: 'It is there.', remedy: null });
const missing = (check: string) => ({ check, state: 'missing', found: 'It is not there.', remedy: 'Mend it.' });
const reply = (more: object = {}) =>
  ({
    wabaId: '100000000000001',
    phoneNumberId: '200000000000002',
    isAdded: true,
    checks: ['token', 'permissions', 'business', 'number', 'subscription', 'registration'].map(ok),
    ...more,
  }) as CheckNumberReply;

describe('number connection', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway({
      standing: ['messaging', 'templates'],
      settings: { PUBLIC_BASE_URL: 'https://sb.example/' },
    });
    customer = await gateway.customer();
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close());

  const secretsOf = (contract: typeof checkNumberV1 | typeof prepareNumberV1, name: string) => {
    const [body] = gateway.fakes.of(contract);
    return testBox.open(String(body?.[name]), inTransit(contract, name, customer.accountId));
  };

  describe('in the console', () => {
    const look = async (id = NUMBER?.id) => {
      const viewer = await signedIn(gateway, customer.accountId, 'viewer');
      return viewer.call('GET', `/console/v1/numbers/${id}/connection`);
    };

    it('is shown to viewers, cached for a minute', async () => {
      gateway.fakes.answer(checkNumberV1, () => reply({ checks: [ok('token'), missing('subscription')] }));
      const { status, body } = await look();
      expect([status, body]).toMatchObject([
        200,
        { checks: [ok('token'), missing('subscription'), { check: 'templates', state: 'ok' }] },
      ]);
      expect(gateway.fakes.of(checkNumberV1)).toMatchObject([
        {
          accountId: customer.accountId,
          phoneNumber: NUMBER?.phoneNumber,
          maxAgeSeconds: 60,
          callbackUrl: 'https://sb.example/callbacks/upstream',
        },
      ]);
      expect(secretsOf(checkNumberV1, 'sealedAppSecret')).toBe(gateway.config.UPSTREAM_APP_SECRET);
    });

    it('reports failed and unknown template syncs', async () => {
      gateway.fakes.answer(checkNumberV1, () => reply({ checks: [] }));
      const failed = { ...getSyncV1.sample.response.businesses[0], state: 'failed', problem: 'Permission missing' };
      gateway.fakes.answer(getSyncV1, () => ({ businesses: [failed] }));
      expect((await look()).body).toMatchObject({
        checks: [{ state: 'missing', found: 'The templates could not be read: Permission missing.' }],
      });
      gateway.fakes.answer(getSyncV1, () => {
        throw new AppError('UNAVAILABLE');
      });
      expect((await look()).body).toMatchObject({ checks: [{ state: 'unknown' }] });
    });

    it('returns 404 for an unknown number, 502 for an upstream failure', async () => {
      expect((await look(newId('num'))).status).toBe(404);
      expect(gateway.fakes.of(checkNumberV1)).toEqual([]);
      gateway.fakes.answer(checkNumberV1, () => {
        throw new AppError('UPSTREAM_ERROR');
      });
      expect(await look()).toMatchObject({ status: 502, body: { code: 'UPSTREAM_ERROR' } });
    });
  });

  describe('by an operator', () => {
    const connect = async (more: string[] = [], json = true) => {
      const number = ['--account', customer.accountId, '--phone-number', '15550783881', '--waba-id', '100000000000001'];
      return operatorOn(gateway).run(['numbers', 'connect', ...number, ...more, ...(json ? ['--json'] : [])]);
    };
    const outcomes = ({ out, err }: { out: string; err: string }) =>
      Object.fromEntries(
        (JSON.parse(out || err) as { steps: { step: string; outcome: string }[] }).steps.map(({ step, outcome }) => [
          step,
          outcome,
        ]),
      );
    const auditOf = async (action: string) =>
      (await gateway.database.dataSource.query(
        'SELECT target, outcome FROM audit_log WHERE account_id = $1 AND action = $2 ORDER BY id DESC LIMIT 1',
        [customer.accountId, action],
      )) as object[];

    it('changes nothing if nothing is missing', async () => {
      gateway.fakes.answer(checkNumberV1, () => reply({ isProfileSet: true }));
      const ran = await connect(['--about', 'Open']);
      expect([ran.code, outcomes(ran)]).toMatchObject([
        0,
        { subscribe: 'unchanged', register: 'unchanged', add: 'unchanged', profile: 'unchanged' },
      ]);
      expect([...gateway.fakes.of(prepareNumberV1), ...gateway.fakes.of(addNumberV1)]).toEqual([]);
    });

    it('encrypts the PIN and audits each step', async () => {
      gateway.fakes.answer(checkNumberV1, () =>
        reply({ isAdded: false, checks: [ok('token'), ok('subscription'), missing('registration')] }),
      );
      const ran = await connect(['--pin', '482913']);
      expect([ran.code, outcomes(ran)]).toMatchObject([0, { register: 'done', add: 'done' }]);
      expect(secretsOf(prepareNumberV1, 'sealedPin')).toBe('482913');
      expect(JSON.stringify(gateway.fakes.received)).not.toContain('482913');
      expect(await auditOf('number.register')).toMatchObject([{ target: '15550783881' }]);
    });

    it('shows the completed steps if one fails', async () => {
      gateway.fakes.answer(checkNumberV1, () =>
        reply({ isAdded: false, checks: [ok('token'), missing('registration')] }),
      );
      gateway.fakes.answer(prepareNumberV1, ({ step }) => {
        if (step === 'subscribe') return { step };
        throw new AppError('UPSTREAM_ERROR', {
          message: 'the upstream platform failed: 133005 mismatch',
          details: [{ field: 'register', message: 'Give the PIN that it has.' }],
        });
      });
      const ran = await connect(['--pin', '482913']);
      expect([ran.code, ran.out, outcomes(ran)]).toMatchObject([
        1,
        '',
        { subscribe: 'done', register: 'failed', add: 'not reached' },
      ]);
      expect(JSON.parse(ran.err)).toMatchObject({
        success: false,
        code: 'UPSTREAM_ERROR',
        message: 'register: the upstream platform failed: 133005 mismatch Give the PIN that it has.',
      });
      const shown = await connect(['--pin', '482913'], false);
      expect(shown.out).toMatch(/^subscribe +done/m);
      expect(shown.err).toMatch(/^error: register: .*133005/);
    });

    it('continues during a business review and reports it', async () => {
      gateway.fakes.answer(checkNumberV1, () =>
        reply({ checks: [ok('token'), missing('business'), ok('number'), ok('subscription'), ok('registration')] }),
      );
      const ran = await connect();
      expect([ran.code, outcomes(ran)]).toMatchObject([1, { business: 'missing', add: 'unchanged' }]);
      expect(ran.err).toContain('the number is connected, but something is missing: business');
    });

    it('reports an unknown outcome and skips later steps', async () => {
      gateway.fakes.answer(checkNumberV1, () => reply({ isAdded: false, checks: [ok('token')] }));
      gateway.fakes.answer(prepareNumberV1, () => {
        throw new AppError('UPSTREAM_TIMEOUT');
      });
      const ran = await connect(['--pin', '482913']);
      expect([ran.code, outcomes(ran)]).toMatchObject([1, { subscribe: 'unknown', register: 'not reached' }]);
      expect(ran.err).toContain('repeat the command, which looks first');
    });

    it.each([
      [['--pin', '12345'], 'a PIN has six digits'],
      [['--about', ''], 'about'],
      [['--email', 'nobody'], 'email'],
      [['--website', 'ftp://x'], 'http:// or https://'],
      [['--vertical', 'shoes'], 'vertical'],
    ])('rejects %j before any change', async (given, reason) => {
      const ran = await connect(given);
      expect(ran.code).toBe(1);
      expect(ran.err).toContain(reason);
      expect([...gateway.fakes.of(checkNumberV1), ...gateway.fakes.of(prepareNumberV1)]).toEqual([]);
    });

    it('reports a stopped number with its reason', async () => {
      gateway.fakes.answer(checkNumberV1, () => reply());
      gateway.fakes.answer(listNumbersV1, () => ({ numbers: [{ ...NUMBER, stoppedReason: '190 expired' }] }));
      const args = ['--account', customer.accountId, '--phone-number', NUMBER?.phoneNumber ?? ''];
      const ran = await operatorOn(gateway).run(['numbers', 'check', ...args, '--json']);
      expect([ran.code, JSON.parse(ran.err)]).toMatchObject([
        1,
        { code: 'NUMBER_STOPPED', stoppedReason: '190 expired' },
      ]);
    });
  });
});
