import { createHmac } from 'node:crypto';
import { verifyWebhook, WebhookVerificationError } from './webhooks';

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes, no').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another one').toString('base64')}`;
const BODY =
  '{"event":"message_status","messageId":"wamid.1","to":"919812345678","status":"delivered","timestamp":"2026-03-02T10:15:04.120Z","eventId":"evt_1"}';
const NOW = new Date('2026-03-02T10:15:05Z');
const AT = String(NOW.getTime() / 1000);

const plain = (body = BODY, secret = SECRET): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const standard = ({ id = 'evt_1', at = AT, body = BODY, secret = SECRET } = {}): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${id}.${at}.${body}`)
    .digest('base64')}`;
const trio = (signature = standard(), at = AT): Record<string, string> => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': at,
  'webhook-signature': signature,
});
const verify = (headers: Parameters<typeof verifyWebhook>[1], options = {}, secret: string | string[] = SECRET) =>
  verifyWebhook(BODY, headers, secret, { now: NOW, ...options });

describe('verifying a webhook', () => {
  it('takes the signature of the spec, in any spelling of the header', () => {
    for (const headers of [
      { 'X-Service-Signature': plain() },
      { 'x-service-signature': [plain()] },
      new Headers({ 'x-service-signature': plain() }),
    ]) {
      expect(verify(headers)).toEqual(JSON.parse(BODY));
    }
  });

  it('takes the signature of Standard Webhooks, among others', () => {
    expect(verify(trio())).toMatchObject({ event: 'message_status' });
    expect(verify(trio(`v1,${'A'.repeat(43)}= ${standard()}`))).toMatchObject({ eventId: 'evt_1' });
  });

  it('knows what an event holds', () => {
    const event = verify(trio());
    expect(event.event === 'message_status' && event.status).toBe('delivered');
  });

  it('works on the bytes as they came', () => {
    const bytes = Buffer.from(`xx${BODY}`).subarray(2);
    expect(verifyWebhook(bytes, { 'x-service-signature': plain() }, SECRET)).toMatchObject({ eventId: 'evt_1' });
  });

  it('takes either secret while one is being changed', () => {
    expect(verify({ 'x-service-signature': plain(BODY, OTHER) }, {}, [SECRET, OTHER])).toMatchObject({
      eventId: 'evt_1',
    });
    expect(verify(trio(standard({ secret: OTHER })), {}, [SECRET, OTHER])).toMatchObject({ eventId: 'evt_1' });
  });

  it.each([
    ['no signature', {}, 'not signed'],
    ['the signature of another body', { 'x-service-signature': plain(`${BODY} `) }, 'X-Service-Signature'],
    ['the signature of another secret', { 'x-service-signature': plain(BODY, OTHER) }, 'X-Service-Signature'],
    ['half a signature', { 'x-service-signature': plain().slice(0, 40) }, 'X-Service-Signature'],
    ['a signature in upper case', { 'x-service-signature': plain().toUpperCase() }, 'X-Service-Signature'],
    [
      'an old time',
      { ...trio(standard({ at: '1772446000' }), '1772446000'), 'x-service-signature': plain() },
      'too far',
    ],
    [
      'an old signature with a new time',
      { ...trio(standard({ at: '1772446000' })), 'x-service-signature': plain() },
      'webhook-signature',
    ],
    ['a time that is none', trio(standard({ at: 'soon' }), 'soon'), 'not a time'],
    ['the signature of another version', trio(standard().replace('v1', 'v2')), 'webhook-signature'],
    ['another id', { ...trio(), 'webhook-id': 'evt_2' }, 'webhook-signature'],
  ])('refuses %s', (_what, headers, message) => {
    expect(() => verify(headers)).toThrow(WebhookVerificationError);
    expect(() => verify(headers)).toThrow(message);
  });

  it('asks for a signed time on demand', () => {
    expect(() => verify({ 'x-service-signature': plain() }, { requireTimestamp: true })).toThrow('no signed time');
    expect(verify(trio(), { requireTimestamp: true })).toMatchObject({ eventId: 'evt_1' });
  });

  it.each(['', 'whsec_', []])('takes nothing as signed without a secret: %j', (secret) => {
    const headers = { ...trio(standard({ secret: 'whsec_' })), 'x-service-signature': plain(BODY, '') };
    expect(() => verifyWebhook(BODY, headers, secret, { now: NOW })).toThrow('the webhook secret is missing');
  });

  it('refuses a body that is signed but no JSON', () => {
    expect(() => verifyWebhook('x', { 'x-service-signature': plain('x') }, SECRET)).toThrow('not JSON');
  });
});
