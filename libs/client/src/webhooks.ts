import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookEvent } from './types';

const SECRET_PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;

/** Error for a webhook request that the service did not send or that is too old. Respond with 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

export interface VerifyOptions {
  /** Maximum difference between the signed timestamp and the local clock, in seconds; defaults to 300. */
  toleranceSeconds?: number;
  /** True to reject requests without a signed timestamp, which could be replayed; defaults to false. */
  requireTimestamp?: boolean;
  /** Current time; defaults to the system clock. */
  now?: Date;
}

type HeadersLike = Headers | Record<string, string | string[] | undefined>;

/**
 * Verifies the signature of a webhook request in constant time, and returns its event. Uses the Standard Webhooks
 * headers, which include a signed timestamp, if present, and otherwise `X-Service-Signature`.
 * @param rawBody unmodified bytes of the body; re-serialized JSON has a different signature
 * @param secret signing secret, or both the old and the new one during a rotation
 * @throws WebhookVerificationError, TypeError if the secret is missing
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: HeadersLike,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): WebhookEvent {
  const body =
    typeof rawBody === 'string'
      ? Buffer.from(rawBody)
      : Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  const secrets = [secret].flat();
  // Anyone can sign with an empty key, so a missing setting must not accept every request.
  if (secrets.length === 0 || secrets.some((one) => one === '' || one === SECRET_PREFIX))
    throw new TypeError('the webhook secret is missing');
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (id !== undefined && timestamp !== undefined && signature !== undefined)
    verifyTimed(body, secrets, { id, timestamp, signature }, options);
  else verifyPlain(body, secrets, headers, options);
  return parse(body);
}

function verifyTimed(
  body: Buffer,
  secrets: readonly string[],
  { id, timestamp, signature }: { id: string; timestamp: string; signature: string },
  options: VerifyOptions,
): void {
  const { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() } = options;
  if (!/^[0-9]{1,12}$/.test(timestamp)) throw new WebhookVerificationError('webhook-timestamp is not a time');
  const given = signature.split(' ').filter((part) => part.startsWith('v1,'));
  const wanted = secrets.map((secret) => `v1,${hmac(keyOf(secret), [`${id}.${timestamp}.`, body]).toString('base64')}`);
  if (!given.some((one) => wanted.some((other) => sameText(one, other))))
    throw new WebhookVerificationError('webhook-signature does not match');
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError('webhook-timestamp is too far from now');
}

function verifyPlain(
  body: Buffer,
  secrets: readonly string[],
  headers: HeadersLike,
  { requireTimestamp = false }: VerifyOptions,
): void {
  const given = headerOf(headers, 'x-service-signature');
  if (given === undefined) throw new WebhookVerificationError('the request is not signed');
  if (requireTimestamp) throw new WebhookVerificationError('the request has no signed time');
  const wanted = secrets.map((secret) => `sha256=${hmac(secret, [body]).toString('hex')}`);
  if (!wanted.some((other) => sameText(given, other)))
    throw new WebhookVerificationError('X-Service-Signature does not match');
}

function parse(body: Buffer): WebhookEvent {
  try {
    return JSON.parse(body.toString('utf8')) as WebhookEvent;
  } catch (cause) {
    throw new WebhookVerificationError('the body is not JSON', { cause });
  }
}

/** Returns the Standard Webhooks key: the base64-decoded secret. */
function keyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, 'base64');
}

function hmac(key: string | Buffer, parts: (string | Buffer)[]): Buffer {
  const hash = createHmac('sha256', key);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/**
 * Compares in constant time. Lengths differ only for forged requests, since all signatures from the service have the
 * same length.
 */
function sameText(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function headerOf(headers: HeadersLike, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(value) ? value[0] : value;
}
