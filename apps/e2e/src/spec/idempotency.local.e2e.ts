import { randomUUID } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import { type Answer, call } from '../support/api';
import { demo } from '../support/demo';
import { done } from '../support/installation';
import { contactWithOpenWindow, freshPhone, receivedUpstream, writeIn } from '../support/simulator';

const textTo = (to: string) => ({ to, type: 'text', text: { body: 'once' } });

describe('chapter 4: idempotency', () => {
  const send = (key: string, body: object | string, apiKey = demo.apiKey): Promise<Answer> =>
    call('POST', '/messages/send', { apiKey, body, headers: { 'idempotency-key': key } });

  it('4.1.1 accepts a key of 255 characters and rejects 256 on every POST', async () => {
    const to = await contactWithOpenWindow();
    const longest = randomUUID().padEnd(255, 'k');
    expect((await send(longest, textTo(to))).status).toBe(200);
    expect((await send(longest, textTo(to))).headers.get('idempotency-replay')).toBe('true');
    const { paths } = (await call('GET', '/openapi.json', { apiKey: null })).body as { paths: Record<string, object> };
    const posts = Object.entries(paths).flatMap(([path, methods]) =>
      'post' in methods
        ? [
            path
              .replace('/v1', '')
              .replace('{phone}', to)
              .replace(/\{\w+\}/, 'job_01jd0000000000000000000000'),
          ]
        : [],
    );
    expect(posts.length).toBeGreaterThanOrEqual(12);
    for (const path of posts) {
      const { status, body } = await call('POST', path, {
        body: textTo(to),
        headers: { 'idempotency-key': `${longest}k` },
      });
      expect({ path, status, body }).toMatchObject({
        path,
        status: 422,
        body: { code: 'INVALID_VALUE', message: expect.stringContaining('Idempotency-Key') as string },
      });
    }
  });

  it('4.1.4 scopes a key to one API client and one route', async () => {
    const to = await contactWithOpenWindow();
    const key = randomUUID();
    const { apiKey } = await done('keys', 'create', '--account', demo.accountId, '--name', 'another client');
    const [first, second] = [await send(key, textTo(to)), await send(key, textTo(to), String(apiKey))];
    expect([first.status, second.status, second.headers.get('idempotency-replay')]).toEqual([200, 200, null]);
    expect(second.body['id']).not.toBe(first.body['id']);
    expect(await receivedUpstream(to)).toHaveLength(2);
    const elsewhere = await call('POST', '/otp/verify', {
      body: { phone: to, otp: '482913' },
      headers: { 'idempotency-key': key },
    });
    expect([elsewhere.body['code'], elsewhere.headers.get('idempotency-replay')]).toEqual(['OTP_INVALID', null]);
  });

  it('4.1.6 ignores field order and white space', async () => {
    const to = await contactWithOpenWindow();
    const key = randomUUID();
    const first = await send(key, textTo(to));
    const again = await send(key, ` {"text": {"body": "once"}, "type": "text",\n "to": "${to}"} `);
    expect([again.status, again.headers.get('idempotency-replay'), again.body]).toEqual([200, 'true', first.body]);
    expect(await receivedUpstream(to)).toHaveLength(1);
  });

  it('4.1.9 does not store an error without effect, so the request can be repeated', async () => {
    const to = freshPhone();
    const key = randomUUID();
    const refused = await send(key, textTo(to));
    expect([refused.status, refused.body['code']]).toEqual([400, 'WINDOW_CLOSED']);
    await writeIn(to, 'Hello');
    const sent = await eventually(async () => {
      const answer = await send(key, textTo(to));
      expect(answer.status).toBe(200);
      return answer;
    });
    expect(sent.headers.get('idempotency-replay')).toBeNull();
    expect((await send(key, textTo(to))).headers.get('idempotency-replay')).toBe('true');
    expect(await receivedUpstream(to)).toMatchObject([{ wamid: sent.body['message_id'], count: 1 }]);
  });

  it('4.1.9 stores a failed verification, which counts once', async () => {
    const phone = freshPhone();
    const verify = (key: string) =>
      call('POST', '/otp/verify', { body: { phone, otp: '482913' }, headers: { 'idempotency-key': key } });
    const key = randomUUID();
    const first = await verify(key);
    const again = await verify(key);
    expect([first.status, first.body['code'], again.headers.get('idempotency-replay')]).toEqual([
      400,
      'OTP_INVALID',
      'true',
    ]);
    expect([again.status, again.body]).toEqual([400, first.body]);
    expect((await verify(randomUUID())).body['attemptsRemaining']).toBe(Number(first.body['attemptsRemaining']) - 1);
  });
});
