import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Responder } from './receiver';

export function answering(
  status: number,
  { headers = {}, body = '' }: { headers?: Record<string, string>; body?: string } = {},
): Responder {
  return (_request, response) => response.writeHead(status, headers).end(body);
}

/** Accepts the request and never responds. */
export const hanging: Responder = () => undefined;

/** Resets the connection instead of responding. */
export const resetting: Responder = (_request, response) => void response.socket?.resetAndDestroy();

export function redirecting(location: string, status = 307): Responder {
  return answering(status, { headers: { location } });
}

/** Returns a responder that sends 200 immediately and then an endless body, one character at a time. */
export function drippingBody(everyMs: number): Responder {
  return (_request, response) => {
    response.writeHead(200).flushHeaders();
    const timer = setInterval(() => response.write('x'), everyMs);
    response.once('close', () => clearInterval(timer));
  };
}

export interface SignatureCheck {
  /** Responds with 200 when a signature matches, otherwise with 401. */
  respond: Responder;
  accepted: number;
  rejected: number;
}

/**
 * Creates a receiver that checks every signature as documented for customers.
 * @param header `service`: the spec's X-Service-Signature; `standard`: any signature in the webhook-signature of
 * Standard Webhooks
 * @param secrets returns the currently valid secrets
 */
export function checkingSignatures(header: 'service' | 'standard', secrets: () => string[]): SignatureCheck {
  const check: SignatureCheck = {
    accepted: 0,
    rejected: 0,
    respond: ({ headers, body }, response) => {
      const given =
        header === 'service'
          ? [String(headers['x-service-signature'])]
          : String(headers['webhook-signature']).split(' ');
      const signed = Buffer.concat([
        Buffer.from(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`),
        body,
      ]);
      const expected = secrets().map((secret) =>
        header === 'service' ? serviceSignature(secret, body) : standardSignature(secret, signed),
      );
      const fits = given.some((signature) => expected.some((other) => isEqual(signature, other)));
      check[fits ? 'accepted' : 'rejected'] += 1;
      response.writeHead(fits ? 200 : 401).end();
    },
  };
  return check;
}

function serviceSignature(secret: string, body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

function standardSignature(secret: string, signed: Buffer): string {
  return `v1,${createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(signed)
    .digest('base64')}`;
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
