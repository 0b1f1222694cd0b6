import {
  AppError,
  messagingCountSecretsV1,
  messagingResealSecretsV1,
  templatesCountSecretsV1,
  webhooksCountSecretsV1,
  webhooksResealSecretsV1,
} from '@switchboard/contracts';
import { SecretBox } from '@switchboard/platform';
import { Fingerprints } from '../src/idempotency/fingerprints';
import { newUser } from './support/console';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { type OperatorUnderTest, operatorOn, testBox } from './support/operator';

const OTHER_KEY = Buffer.alloc(32, 9).toString('base64');

interface Status {
  keyId: string;
  waiting: number;
  unknown: number;
  fingerprintsOfOtherKeys: number;
  previousKeyNeeded: boolean;
  secrets: { service: string; column: string; previous: number }[];
}

describe('ops secrets', () => {
  let gateway: GatewayUnderTest;
  let operator: OperatorUnderTest;
  /** Number of endpoint secrets that are still encrypted with the previous key. */
  let waiting: number;

  beforeAll(async () => {
    gateway = await startGateway();
    operator = operatorOn(gateway);
  }, 120_000);
  afterAll(() => gateway.close(), 120_000);
  beforeEach(() => {
    gateway.fakes.reset();
    waiting = 450;
    const { keyId } = testBox;
    const none = { current: 0, previous: 0, withoutKeyId: 0, unknown: 0 };
    gateway.fakes.answer(messagingCountSecretsV1, () => ({
      keyId,
      columns: [{ ...none, column: 'numbers.sealed_access_token', current: 2 }],
    }));
    gateway.fakes.answer(templatesCountSecretsV1, () => ({ keyId, columns: [] }));
    gateway.fakes.answer(webhooksCountSecretsV1, () => ({
      keyId,
      columns: [{ ...none, column: 'endpoints.sealed_secret', previous: waiting }],
    }));
    gateway.fakes.answer(messagingResealSecretsV1, () => ({ resealed: 0, unreadable: [] }));
    gateway.fakes.answer(webhooksResealSecretsV1, ({ limit, after }) => {
      const resealed = Math.min(Number(limit), waiting);
      waiting -= resealed;
      return { resealed, unreadable: [], next: waiting > 0 ? `${String(after ?? '')}x` : undefined };
    });
  });

  it('re-encrypts secrets in steps and reports the progress', async () => {
    expect(await operator.json<Status>('secrets', 'status')).toMatchObject({
      keyId: testBox.keyId,
      waiting: 450,
      unknown: 0,
      previousKeyNeeded: true,
    });
    const { code, out, err } = await operator.run(['secrets', 'reseal']);
    const progress = ['200', '400', '450'].map((done) => `webhooks endpoints.sealed_secret: ${done} of 450\n`).join('');
    expect([code, err]).toEqual([0, progress]);
    expect(out).toMatch(/^resealed: 450\n[^]*^waiting: 0\n[^]*^previousKeyNeeded: false$/m);
    expect(gateway.fakes.of(webhooksResealSecretsV1).map(({ after }) => after)).toEqual([undefined, 'x', 'xx']);
    expect(await operator.json('secrets', 'reseal')).toMatchObject({ resealed: 0, waiting: 0 });
  });

  it('resumes after an interruption', async () => {
    let steps = 0;
    gateway.fakes.answer(webhooksResealSecretsV1, ({ limit }) => {
      steps += 1;
      if (steps === 2) throw new AppError('UNAVAILABLE');
      waiting -= Math.min(Number(limit), waiting);
      return { resealed: Number(limit), unreadable: [], next: waiting > 0 ? 'x' : undefined };
    });
    expect((await operator.run(['secrets', 'reseal'])).code).toBe(1);
    expect((await operator.run(['secrets', 'reseal'])).code).toBe(0);
    expect(waiting).toBe(0);
  });

  it("re-encrypts the gateway's own second factor secrets", async () => {
    waiting = 0;
    const { accountId } = await gateway.customer();
    const { userId } = await newUser(gateway, accountId);
    const place = { table: 'second_factors', column: 'sealed_secret', row: userId };
    const sealed = new SecretBox({ ENCRYPTION_KEY: OTHER_KEY }).seal('TOTPSECRET', place);
    await gateway.database.dataSource.query(
      'INSERT INTO second_factors (user_id, account_id, sealed_secret) VALUES ($1, $2, $3)',
      [userId, accountId, sealed],
    );
    const previous = { ENCRYPTION_KEY_PREVIOUS: OTHER_KEY };
    expect(JSON.parse((await operator.run(['secrets', 'status', '--json'], previous)).out)).toMatchObject({
      waiting: 1,
      previousKeyNeeded: true,
    });
    expect(JSON.parse((await operator.run(['secrets', 'reseal', '--json'], previous)).out)).toMatchObject({
      resealed: 1,
      waiting: 0,
    });
    const [row] = await gateway.database.dataSource.query<{ sealed: string }[]>(
      'SELECT sealed_secret AS sealed FROM second_factors WHERE user_id = $1',
      [userId],
    );
    expect(testBox.open(row?.sealed ?? '', place)).toBe('TOTPSECRET');
  });

  it('changes nothing if a service encrypts with another key', async () => {
    gateway.fakes.answer(templatesCountSecretsV1, () => ({ keyId: 'ffffffff', columns: [] }));
    const { code, err } = await operator.run(['secrets', 'reseal']);
    expect([code, err]).toEqual([1, expect.stringContaining('the templates service seals with the key ffffffff')]);
    expect(gateway.fakes.of(webhooksResealSecretsV1)).toEqual([]);
  });

  it('fails if values remain that no key decrypts', async () => {
    const unknown = { column: 'numbers.sealed_access_token', current: 0, previous: 0, withoutKeyId: 0, unknown: 1 };
    gateway.fakes.answer(messagingCountSecretsV1, () => ({ keyId: testBox.keyId, columns: [unknown] }));
    expect(await operator.run(['secrets', 'reseal'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('1 cannot be opened'),
    });
  });

  it('counts fingerprints with another key until they expire', async () => {
    waiting = 0;
    const { stored } = new Fingerprints({ ENCRYPTION_KEY: OTHER_KEY }).of('/v1/otp/verify', 'body');
    const insert =
      "INSERT INTO idempotency (client_id, route, key, fingerprint, seed) VALUES ('c', 'POST /v1/otp/verify', 'k', $1, $1)";
    await gateway.database.dataSource.query(insert, [stored]);
    expect(await operator.json<Status>('secrets', 'status')).toMatchObject({
      fingerprintsOfOtherKeys: 1,
      previousKeyNeeded: true,
    });
    await gateway.database.dataSource.query("UPDATE idempotency SET created_at = now() - interval '25 hours'");
    expect(await operator.json<Status>('secrets', 'status')).toMatchObject({
      fingerprintsOfOtherKeys: 0,
      previousKeyNeeded: false,
    });
  });
});
