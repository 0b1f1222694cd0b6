import { createHmac, timingSafeEqual } from 'node:crypto';

/** Result of verifying a request. `unsigned` means that it has no signature header. */
export type Verdict = 'valid' | 'invalid' | 'no secret given' | 'unsigned';

export interface Judgement {
  verdict: Verdict;
  /** Each signature header. */
  signatures: { header: string; isValid: boolean }[];
}

interface SignedRequest {
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** Prefix of Standard Webhooks secrets. The rest is the key in base64. */
const SECRET_PREFIX = 'whsec_';

type Check = (signature: string, request: SignedRequest, secret: string) => boolean;

/** Checks a lowercase hex HMAC-SHA256 of the body. The key is the secret as text, including `whsec_`, not decoded. */
const ofBody: Check = (signature, { body }, secret) =>
  isSame(signature, `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);

/** Checks for Standard Webhooks: any of several signatures, each over `id.timestamp.body`. */
const standard: Check = (signatures, { headers, body }, secret) => {
  const key = keyOf(secret);
  if (!key) return false;
  const start = `${headers['webhook-id'] ?? ''}.${headers['webhook-timestamp'] ?? ''}.`;
  const wanted = `v1,${createHmac('sha256', key).update(start).update(body).digest('base64')}`;
  return signatures.split(' ').some((signature) => isSame(signature, wanted));
};

const CHECKS: Readonly<Record<string, Check>> = {
  'x-service-signature': ofBody,
  'x-service-signature-next': ofBody,
  'webhook-signature': standard,
  'x-hub-signature-256': ofBody,
};

/**
 * Verifies the signatures of a request. A single match suffices, because headers are signed with different secrets
 * during a rotation.
 */
export function judge(request: SignedRequest, secret: string): Judgement {
  const signed = Object.entries(CHECKS).flatMap(([header, check]) => {
    const signature = request.headers[header];
    return signature === undefined ? [] : [{ header, isValid: secret !== '' && check(signature, request, secret) }];
  });
  if (signed.length === 0) return { verdict: 'unsigned', signatures: [] };
  if (secret === '') return { verdict: 'no secret given', signatures: [] };
  return { verdict: signed.some(({ isValid }) => isValid) ? 'valid' : 'invalid', signatures: signed };
}

/** Returns undefined for invalid base64, which the decoder alone would accept. */
function keyOf(secret: string): Buffer | undefined {
  const text = (secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret).replace(/=+$/, '');
  const key = Buffer.from(text, 'base64');
  return key.toString('base64').replace(/=+$/, '') === text ? key : undefined;
}

function isSame(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}
