import { randomUUID } from 'node:crypto';
import { done } from '../support/account';
import { type Answer, call } from '../support/api';
import { demo } from '../support/demo';
import { contactWithOpenWindow, receivedUpstream } from '../support/simulator';

const textTo = (to: string) => ({ to, type: 'text', text: { body: 'once' } });

describe('chapter 4: idempotency', () => {
  const send = (key: string, body: object | string, apiKey = demo.apiKey): Promise<Answer> => call('POST', '/messages/send', { apiKey, body, headers: { 'idempotency-key': key } });

  it('4.1.1 a key of 255 characters is taken, and one of 256 is refused on every POST', async () => {
    const to = await contactWithOpenWindow();
    const longest = randomUUID().padEnd(255, 'k');
    expect((await send(longest, textTo(to))).status).toBe(200);
    expect((await send(longest, textTo(to))).headers.get('idempotency-replay')).toBe('true');
    for (const path of ['/messages/send', '/messages/send/bulk', '/messages/send/authentication/utility', '/otp/verify']) {
      const { status } = await call('POST', path, { body: textTo(to), headers: { 'idempotency-key': `${longest}k` } });
      expect({ path, status }).toEqual({ path, status: 422 });
    }
  });

  it('4.1.4 a key belongs to one API client and one route', async () => {
    const to = await contactWithOpenWindow();
    const key = randomUUID();
    const { apiKey } = await done('keys', 'create', '--account', demo.accountId, '--name', 'another client');
    const [first, second] = [await send(key, textTo(to)), await send(key, textTo(to), String(apiKey))];
    expect([first.status, second.status, second.headers.get('idempotency-replay')]).toEqual([200, 200, null]);
    expect(second.body['id']).not.toBe(first.body['id']);
    expect(await receivedUpstream(to)).toHaveLength(2);
    const elsewhere = await call('POST', '/otp/verify', { body: { phone: to, otp: '482913' }, headers: { 'idempotency-key': key } });
    expect([elsewhere.body['code'], elsewhere.headers.get('idempotency-replay')]).toEqual(['OTP_INVALID', null]);
  });
});
