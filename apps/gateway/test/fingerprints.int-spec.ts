import { createHash } from 'node:crypto';
import { sendMessageV1 } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import { eventually } from '@switchboard/testing';
import type { GatewayConfig } from '../src/config';
import { Fingerprints } from '../src/idempotency/fingerprints';
import { IdempotencyService } from '../src/idempotency/idempotency.service';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';

const OTP = '/v1/messages/send/authentication/utility';
const PHONE = '919812345678';

/** Computes every unkeyed hash over the body, alone and with the URL, as an attacker with access to the table would. */
function unkeyedHashesOf(url: string, body: string): string[] {
  const bodyDigest = createHash('sha256').update(body).digest();
  const inputs = [body, Buffer.concat([Buffer.from(`${url}\n`), bodyDigest]), `${url}\n${body}`];
  return ['sha256', 'sha1', 'md5', 'sha512'].flatMap((name) =>
    inputs.map((input) => createHash(name).update(input).digest('hex')),
  );
}

describe('stored fingerprint', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway();
    customer = await gateway.customer();
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close());

  const rows = (key: string): Promise<{ fingerprint: Buffer; row: string }[]> =>
    gateway.database.dataSource.query('SELECT fingerprint, i::text AS row FROM idempotency AS i WHERE key = $1', [key]);
  const post = (path: string, key: string, body: string) =>
    call(`${gateway.url}${path}`, { key: customer.apiKey, body, headers: { 'idempotency-key': key } });
  const sends = () => gateway.fakes.of(sendMessageV1).length;

  it.each([
    [OTP, 'otp-1', (otp: string) => JSON.stringify({ to: PHONE, otp, expiryMinutes: 10 })],
    ['/v1/otp/verify', 'verify-1', (otp: string) => JSON.stringify({ phone: PHONE, otp })],
  ])('protects the code of %s against brute force', async (path, key, bodyOf) => {
    const { status } = await post(path, key, bodyOf('004711'));
    expect(status).toBeLessThan(500);
    const [stored] = await rows(key);
    expect(stored?.row).toBeDefined();
    expect(stored?.row).not.toContain('004711');
    const hex = stored?.row ?? '';
    for (let code = 4_700; code < 4_720; code += 1) {
      for (const hash of unkeyedHashesOf(path, bodyOf(String(code).padStart(6, '0')))) expect(hex).not.toContain(hash);
    }
  });

  it("matches the previous version's unkeyed fingerprint", async () => {
    const body = JSON.stringify({ to: PHONE, type: 'text', text: { body: 'hi' } });
    const first = await post('/v1/messages/send', 'old', body);
    const digest = createHash('sha256').update(body).digest();
    const unkeyed = createHash('sha256').update('/v1/messages/send').update('\n').update(digest).digest();
    await gateway.database.dataSource.query("UPDATE idempotency SET fingerprint = $1 WHERE key = 'old'", [unkeyed]);
    expect((await post('/v1/messages/send', 'old', body)).body).toEqual(first.body);
    await gateway.app.get(IdempotencyService).keyFingerprints();
    await eventually(async () => expect((await rows('old'))[0]?.fingerprint).not.toEqual(unkeyed));
    expect((await rows('old'))[0]?.row).not.toContain(unkeyed.toString('hex'));
    const again = await post('/v1/messages/send', 'old', body);
    expect([again.status, again.headers.get('idempotency-replay')]).toEqual([200, 'true']);
    expect((await post('/v1/messages/send', 'old', body.replace('hi', 'ho'))).status).toBe(422);
    expect(sends()).toBe(1);
  });

  it('matches equal bytes stored by the previous version', async () => {
    const body = JSON.stringify({ type: 'text', to: PHONE, text: { body: 'bytes' } });
    const first = await post('/v1/messages/send', 'bytes', body);
    const digest = createHash('sha256').update(body).digest();
    const { stored: ofBytes } = new Fingerprints(gateway.app.get<GatewayConfig>(CONFIG)).of(
      '/v1/messages/send',
      digest,
    );
    expect((await rows('bytes'))[0]?.fingerprint).not.toEqual(ofBytes);
    await gateway.database.dataSource.query("UPDATE idempotency SET fingerprint = $1 WHERE key = 'bytes'", [ofBytes]);
    const again = await post('/v1/messages/send', 'bytes', body);
    expect([again.status, again.headers.get('idempotency-replay'), again.body]).toEqual([200, 'true', first.body]);
    expect((await post('/v1/messages/send', 'bytes', body.replace('bytes', 'others'))).status).toBe(422);
    expect(sends()).toBe(1);
  });

  it('matches during an encryption key change', () => {
    const [first, second] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string];
    const before = new Fingerprints({ ENCRYPTION_KEY: first, ENCRYPTION_KEY_PREVIOUS: second }).of(
      '/v1/otp/verify',
      'body',
    );
    const after = new Fingerprints({ ENCRYPTION_KEY: second, ENCRYPTION_KEY_PREVIOUS: first }).of(
      '/v1/otp/verify',
      'body',
    );
    expect(before.stored).not.toEqual(after.stored);
    expect(after.known).toContainEqual(before.stored);
    expect(before.known).toContainEqual(after.stored);
    expect(new Fingerprints({ ENCRYPTION_KEY: second }).of('/v1/otp/verify', 'body').known).not.toContainEqual(
      before.stored,
    );
  });
});
