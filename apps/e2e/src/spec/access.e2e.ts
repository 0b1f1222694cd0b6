import { randomUUID } from 'node:crypto';
import { ask, get, post, refusalOf, send } from './calls';

describe('chapter 2: access', () => {
  const withoutKey = [
    { apiKey: null },
    { apiKey: `sb_live_${randomUUID()}` },
    { apiKey: 'nonsense' },
    { apiKey: null, headers: { authorization: 'Basic dXNlcjpwYXNz' } },
    { apiKey: null, headers: { authorization: 'Bearer ' } },
  ];

  it('2.1.2 returns 401 with one text for a missing, malformed or unknown key', async () => {
    for (const options of withoutKey)
      expect(await get('/me', options)).toMatchObject({
        status: 401,
        body: {
          code: 'UNAUTHORIZED',
          message: 'missing or invalid API key: send the header Authorization: Bearer <API key>',
        },
      });
  });

  it('2.1.3 sends WWW-Authenticate: Bearer with a 401', async () => {
    for (const options of withoutKey)
      expect((await get('/me', options)).headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  it('2.4.3 sends rate limit headers with every response to a valid key', async () => {
    const answers = [
      [200, await get('/me')],
      [200, await get('/jobs/sample.xlsx')],
      [400, await get('/messages?limit=0')],
      [400, await post('/messages/send', '{')],
      [404, await get('/nothing')],
      [404, await get('/messages/msg_01jd0000000000000000000000')],
      [405, await ask('DELETE', '/messages/send')],
      [413, await send({ type: 'text', text: { body: 'x' }, more: 'x'.repeat(1 << 20) })],
      [415, await post('/messages/send', 'x', { headers: { 'content-type': 'text/csv' } })],
      [422, await send({ to: '12', type: 'text', text: { body: 'x' } })],
    ] as const;
    expect(answers.map(([, { status }]) => status)).toEqual(answers.map(([status]) => status));
    for (const [, { headers }] of answers) {
      const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
        Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN),
      );
      expect(limit).toBeGreaterThan(0);
      expect(remaining).toBeGreaterThanOrEqual(0);
      expect(Math.abs(Number(reset) - Date.now() / 1_000)).toBeLessThan(86_400);
    }
  });

  it('2.4.4 shows the values of the rate limit headers in /me', async () => {
    const { headers, body } = await get('/me');
    const { limit, remaining, resetAt } = body['rateLimit'] as { limit: number; remaining: number; resetAt: string };
    expect([String(limit), String(remaining)]).toEqual([
      headers.get('x-ratelimit-limit'),
      headers.get('x-ratelimit-remaining'),
    ]);
    expect(Math.abs(Date.parse(resetAt) / 1_000 - Number(headers.get('x-ratelimit-reset')))).toBeLessThanOrEqual(1);
  });

  it('2.5.2 checks the key before the path and the method', async () => {
    const answers = [
      await ask('GET', '/nothing', { apiKey: null }),
      await ask('DELETE', '/messages/send', { apiKey: null }),
    ];
    expect(answers.map(refusalOf)).toEqual([
      [401, 'UNAUTHORIZED'],
      [401, 'UNAUTHORIZED'],
    ]);
    const known = [await ask('GET', '/nothing'), await ask('DELETE', '/messages/send')];
    expect(known.map(refusalOf)).toEqual([
      [404, 'NOT_FOUND'],
      [405, 'METHOD_NOT_ALLOWED'],
    ]);
    for (const { headers } of known) expect(Number(headers.get('x-ratelimit-limit'))).toBeGreaterThan(0);
  });
});
