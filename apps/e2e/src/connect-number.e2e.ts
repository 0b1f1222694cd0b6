import { randomInt } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import { newBareAccount } from './support/account';
import { attempt, ops, upstreamToken } from './support/installation';
import { control, freshPhone, writeIn } from './support/simulator';

interface Step {
  step: string;
  outcome: string;
  detail: string;
  remedy: string | null;
}
interface Check {
  check: string;
  state: string;
  found: string;
  remedy: string | null;
}

const newId = () => String(randomInt(1e11, 2e11));
const newPhone = () => `1555${randomInt(1_000_000, 9_999_999)}`;

describe('connecting a number', () => {
  let accountId: string;
  beforeAll(async () => {
    ({ accountId } = await newBareAccount('Connecting'));
  });

  /** Adds a number of a business account that is not connected to any account yet. */
  async function newNumber(more: object = {}): Promise<{ phoneNumber: string; wabaId: string; id: string }> {
    const number = { id: newId(), phoneNumber: newPhone(), wabaId: newId() };
    await control('POST', '/numbers', { ...number, registered: false, ...more });
    return number;
  }
  async function newToken(rights: object): Promise<string> {
    const token = `token-${newId()}`;
    await control('POST', '/tokens', { token, ...rights });
    return token;
  }
  const words = ({ phoneNumber, wabaId }: { phoneNumber: string; wabaId: string }): string[] => [
    '--account',
    accountId,
    '--phone-number',
    phoneNumber,
    '--waba-id',
    wabaId,
  ];
  const connect = async (number: { phoneNumber: string; wabaId: string }, ...more: string[]) => {
    const token = more.includes('--access-token') ? [] : ['--access-token', upstreamToken];
    const { exitCode, json } = await attempt('numbers', 'connect', ...words(number), ...token, ...more);
    const steps = (json['steps'] ?? []) as Step[];
    return { exitCode, json, steps, outcomes: Object.fromEntries(steps.map(({ step, outcome }) => [step, outcome])) };
  };
  const check = async (phoneNumber: string, run = attempt) => {
    const { exitCode, json } = await run('numbers', 'check', '--account', accountId, '--phone-number', phoneNumber);
    const checks = (json['checks'] ?? []) as Check[];
    return { exitCode, json, of: (name: string) => checks.find((one) => one.check === name) };
  };
  const numbers = async () =>
    (await attempt('numbers', 'list', '--account', accountId)).json['numbers'] as { phoneNumber: string }[];

  it('connects step by step, receives callbacks, and is idempotent', async () => {
    const number = await newNumber();
    const profile = ['--about', 'We answer', '--website', 'https://example.com', '--email', 'hi@example.com'];
    const first = await connect(number, '--pin', '482913', ...profile);
    expect(first).toMatchObject({
      exitCode: 0,
      json: { phoneNumberId: number.id },
      outcomes: {
        token: 'ok',
        permissions: 'ok',
        business: 'ok',
        number: 'ok',
        fields: 'ok',
        address: 'ok',
        name: 'ok',
        subscribe: 'done',
        register: 'done',
        add: 'done',
        profile: 'done',
      },
    });
    expect((await check(number.phoneNumber)).of('callbacks')).toMatchObject({ state: 'missing' });

    const again = await connect(number, '--pin', '482913', ...profile);
    expect(again).toMatchObject({
      exitCode: 0,
      outcomes: { subscribe: 'unchanged', register: 'unchanged', add: 'unchanged', profile: 'unchanged' },
    });
    const changed = await connect(number, '--about', 'We answer at night');
    expect(changed.outcomes).toMatchObject({ subscribe: 'unchanged', add: 'unchanged', profile: 'done' });

    await writeIn(freshPhone(), 'Hello', { to: number.phoneNumber });
    await eventually(async () => {
      const found = await check(number.phoneNumber);
      expect([found.of('callbacks')?.state, found.of('templates')?.state, found.exitCode]).toEqual(['ok', 'ok', 0]);
    });
  });

  it('changes nothing for a wrong or missing PIN, and resumes afterwards', async () => {
    const number = await newNumber();
    await control('POST', `/numbers/${number.phoneNumber}/registration`, { pin: '111111' });
    const without = await connect(number);
    expect(without).toMatchObject({
      exitCode: 1,
      json: { code: 'MISSING_FIELD' },
      outcomes: { subscribe: 'done', register: 'failed', add: 'not reached' },
    });
    const wrong = await connect(number, '--pin', '222222');
    expect(wrong).toMatchObject({
      exitCode: 1,
      outcomes: { subscribe: 'unchanged', register: 'failed', add: 'not reached' },
    });
    expect(wrong.json['message']).toMatch(/register: .*133005.*Give the PIN that the number has/);
    expect(await numbers()).not.toContainEqual(expect.objectContaining({ phoneNumber: number.phoneNumber }));
    expect(await connect(number, '--pin', '111111')).toMatchObject({
      exitCode: 0,
      outcomes: { register: 'done', add: 'done' },
    });
  });

  it.each([
    ['an expired token', { expiresAt: 1 }, 'token', /Session has expired/],
    ['a revoked token', { revoked: true }, 'token', /invalidated/],
    [
      'a token that may not send',
      { scopes: ['whatsapp_business_management'] },
      'permissions',
      /whatsapp_business_messaging/,
    ],
    ['a token for another business', { businesses: ['300000000000009'] }, 'permissions', /not for business account/],
  ])('leaves the number unchanged with %s', async (_, rights, step, reason) => {
    const number = await newNumber();
    const token = await newToken(rights);
    const refused = await connect(number, '--pin', '482913', '--access-token', token);
    expect(refused).toMatchObject({
      exitCode: 1,
      outcomes: { [step]: 'failed', subscribe: 'not reached', add: 'not reached' },
    });
    expect(refused.steps.find((one) => one.step === step)?.detail).toMatch(reason);
    expect(refused.steps.find((one) => one.step === step)?.remedy).toEqual(expect.any(String));
  });

  it('rejects a number of another business in connect and add', async () => {
    const number = await newNumber({ registered: true });
    const other = await newNumber();
    const wrong = { ...number, wabaId: other.wabaId };
    expect(await connect(wrong)).toMatchObject({
      exitCode: 1,
      outcomes: { number: 'failed', subscribe: 'not reached' },
    });
    expect(await connect({ ...number, wabaId: '1' })).toMatchObject({ exitCode: 1, outcomes: { business: 'failed' } });
    const add = (wabaId: string) =>
      ops(
        'numbers',
        'add',
        ...words({ ...number, wabaId }),
        '--phone-number-id',
        number.id,
        '--access-token',
        upstreamToken,
      );
    expect(await add(other.wabaId)).toMatchObject({ exitCode: 1, json: { code: 'INVALID_PARAMETER' } });
    expect(await add('1')).toMatchObject({ exitCode: 1, json: { code: 'UPSTREAM_ERROR' } });
    expect(await numbers()).not.toContainEqual(expect.objectContaining({ phoneNumber: number.phoneNumber }));
  });

  it('rejects a number of another account before any change', async () => {
    const number = await newNumber();
    await connect(number, '--pin', '482913');
    const { accountId: stranger } = await newBareAccount('Stranger');
    const options = ['--phone-number', number.phoneNumber, '--waba-id', number.wabaId, '--access-token', upstreamToken];
    const { exitCode, json } = await attempt(
      'numbers',
      'connect',
      '--account',
      stranger,
      ...options,
      '--about',
      'Mine',
    );
    expect([exitCode, json]).toMatchObject([1, { message: expect.stringContaining('belongs to another account') }]);
    expect((json['steps'] as Step[]).filter(({ outcome }) => outcome === 'done')).toEqual([]);
  });

  it('reports each missing step with a remedy', async () => {
    const number = await newNumber();
    await connect(number, '--pin', '482913');
    await control('POST', `/numbers/${number.phoneNumber}/name`, { status: 'PENDING_REVIEW' });
    await control('POST', `/numbers/${number.phoneNumber}/quality`, { rating: 'RED' });
    const found = await check(number.phoneNumber, ops);
    expect(found).toMatchObject({ exitCode: 1, json: { success: false, code: 'INVALID_VALUE' } });
    expect(found.json['message']).toBe('missing: name, standing, callbacks');
    for (const name of ['name', 'standing', 'callbacks'])
      expect(found.of(name)).toMatchObject({ state: 'missing', remedy: expect.any(String) });
    expect(
      (await attempt('numbers', 'check', '--account', accountId, '--phone-number', newPhone())).json,
    ).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('stops reading templates when a business account loses its last number', async () => {
    const number = await newNumber();
    await connect(number, '--pin', '482913');
    const businesses = async () =>
      ((await attempt('templates', 'sync', '--account', accountId)).json['businesses'] as { wabaId: string }[]).map(
        ({ wabaId }) => wabaId,
      );
    await eventually(async () => expect(await businesses()).toContain(number.wabaId));
    expect(
      await attempt('numbers', 'leave-business', '--account', accountId, '--waba-id', number.wabaId),
    ).toMatchObject({
      exitCode: 1,
      json: { code: 'INVALID_PARAMETER' },
    });
    await attempt('numbers', 'remove', '--account', accountId, '--phone-number', number.phoneNumber);
    await eventually(async () => expect(await businesses()).not.toContain(number.wabaId));
    await connect(number, '--pin', '482913');
    await eventually(async () => expect(await businesses()).toContain(number.wabaId));
  });
});
