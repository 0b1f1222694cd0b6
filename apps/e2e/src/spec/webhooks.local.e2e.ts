import { eventually, type ReceivedRequest } from '@switchboard/testing';
import { createHmac } from 'node:crypto';
import { newAccount } from '../support/account';
import { freshPhone, writeIn } from '../support/simulator';
import { type Listener, listenFor } from '../support/webhooks';

describe('chapter 11: webhooks', () => {
  let listener: Listener;
  let request: ReceivedRequest;

  beforeAll(async () => {
    const account = await newAccount('Headers');
    listener = await listenFor(account.accountId);
    const messageId = await writeIn(freshPhone(), 'Hello', { to: account.phoneNumber });
    request = await eventually(() => {
      const found = listener.receiver.received.find(({ method, body }) => method === 'POST' && body.includes(messageId));
      if (!found) throw new Error('no event yet');
      return found;
    });
  }, 60_000);
  afterAll(() => listener.receiver.close());

  it('11.4.2 a request carries the headers of its event and of its attempt', () => {
    const { eventId } = JSON.parse(request.body.toString()) as { eventId: string };
    expect(request.headers).toMatchObject({
      ...{ 'x-service-event-id': eventId, 'x-service-attempt': '1', 'x-service-timestamp': expect.stringMatching(/^\d{10}$/) as string },
      ...{ 'user-agent': expect.stringMatching(/./) as string, 'content-type': 'application/json' },
    });
    expect(Math.abs(Number(request.headers['x-service-timestamp']) - Date.now() / 1_000)).toBeLessThan(120);
  });

  it('11.4.3 a request carries the headers of Standard Webhooks, signed over id, time and body', () => {
    const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) => String(request.headers[`webhook-${name}`]));
    expect([id, timestamp]).toEqual([request.headers['x-service-event-id'], request.headers['x-service-timestamp']]);
    const key = Buffer.from(listener.secret.replace(/^whsec_/, ''), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${request.body.toString()}`).digest('base64');
    expect(String(signature).split(' ')).toContain(`v1,${expected}`);
  });
});
