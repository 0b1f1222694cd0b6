import { createHmac } from 'node:crypto';
import vectors from '../test/vectors.json';
import { verifyWebhook, WebhookVerificationError } from './webhooks';

const { now, cases } = vectors.webhooks;
const NOW = new Date(now * 1000);
const [SECRET = ''] = cases[0]?.secrets ?? [];
const BODY = cases[0]?.body ?? '';
const SIGNED = `sha256=${createHmac('sha256', SECRET).update(BODY).digest('hex')}`;

/** The same vectors as the client for Python has. */
describe('verifying a webhook', () => {
  const verify = ({ body, headers, secrets, ...options }: Omit<(typeof cases)[number], 'title' | 'error'>) =>
    verifyWebhook(body, headers as Record<string, string>, secrets, { now: NOW, ...options });

  it.each(cases.filter(({ error }) => error === undefined))('takes $title', ({ title: _title, ...given }) => {
    expect(verify(given)).toEqual(JSON.parse(given.body));
  });

  it.each(cases.filter(({ error }) => error !== undefined))('refuses $title', ({ title: _title, error, ...given }) => {
    const isOurs = error !== 'the webhook secret is missing';
    expect(() => verify(given)).toThrow(isOurs ? WebhookVerificationError : TypeError);
    expect(() => verify(given)).toThrow(error);
  });

  it('reads headers as Node, Express and fetch give them', () => {
    for (const headers of [{ 'x-service-signature': [SIGNED] }, new Headers({ 'x-service-signature': SIGNED })])
      expect(verifyWebhook(BODY, headers, SECRET)).toEqual(JSON.parse(BODY));
  });

  it('knows what an event holds', () => {
    const event = verifyWebhook(BODY, { 'x-service-signature': SIGNED }, SECRET);
    expect(event.event === 'message_status' && event.status).toBe('delivered');
  });

  it('works on the bytes as they came', () => {
    const bytes = Buffer.from(`xx${BODY}`).subarray(2);
    expect(verifyWebhook(bytes, { 'x-service-signature': SIGNED }, SECRET)).toMatchObject({ eventId: 'evt_1' });
  });
});
