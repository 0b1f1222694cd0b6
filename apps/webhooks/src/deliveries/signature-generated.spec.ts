import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { type CustomerEvent, eventBody } from '../events/customer-event';
import { deliveryHeaders, newSecret } from './signature';

/** The receiver's side, written from the documents and not from our code. */
function verify(headers: Record<string, string>, body: Buffer, secret: string): boolean {
  const service = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const signed = Buffer.concat([Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`), body]);
  const standard = `v1,${createHmac('sha256', Buffer.from(secret.split('_')[1] ?? '', 'base64')).update(signed).digest('base64')}`;
  return headers['X-Service-Signature'] === service && (headers['webhook-signature'] ?? '').split(' ').includes(standard);
}

describe('the signature of generated events', () => {
  it('verifies on every attempt, for 1,000 bodies of any content (promise 10)', () => {
    const secret = newSecret();
    let verified = 0;
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.uuid(), (fields, id) => {
        const event: CustomerEvent = { kind: 'message', accountId: 'acc', dedupKey: id, messageId: null, subject: null, occurredAt: '', fields };
        const body = eventBody(event, `evt_${id}`);
        for (let attempt = 1; attempt <= 5; attempt += 1) {
          const headers = deliveryHeaders({ eventId: `evt_${id}`, attempt, timestamp: 1_772_446_504 + attempt, body, secret });
          expect(verify(headers, body, secret)).toBe(true);
          verified += 1;
        }
      }),
      { numRuns: 1_000 },
    );
    expect(verified).toBe(5_000);
  });
});
