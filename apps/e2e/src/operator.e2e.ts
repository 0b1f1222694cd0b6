import { eventually } from '@switchboard/testing';
import { clientOf, get, post } from './support/api';
import { attempt, demo, ops } from './support/installation';
import { freshPhone } from './support/simulator';

describe('operator commands', () => {
  let accountId: string;
  const createKey = async (...words: string[]) => {
    const { json } = await attempt('keys', 'create', '--account', accountId, '--name', 'test', ...words);
    return { id: String(json['keyId']), key: String(json['apiKey']) };
  };

  beforeAll(async () => {
    const created = await ops('accounts', 'create', '--name', 'Second', '--plan', 'starter');
    expect(created).toMatchObject({ exitCode: 0, json: { success: true, accountId: expect.stringMatching(/^acc_/) } });
    accountId = String(created.json['accountId']);
  });

  it('create an account with a working key limited to that account', async () => {
    const { key } = await createKey();
    const second = clientOf(key);
    expect(await second.getMe()).toMatchObject({ account: { id: accountId, name: 'Second' }, numbers: [] });
    expect(await second.listMessages()).toMatchObject({ messages: [], pagination: { total: 0 } });
    expect(await second.listTemplates()).toEqual({ success: true, templates: [] });
    expect(
      (
        await post(
          '/messages/send',
          { to: freshPhone(), type: 'text', text: { body: 'x' }, from: demo.phoneNumber },
          { apiKey: key },
        )
      ).status,
    ).toBe(400);
  });

  it('revoke a key immediately', async () => {
    const { id, key } = await createKey();
    expect((await get('/me', { apiKey: key })).status).toBe(200);
    expect((await attempt('keys', 'revoke', '--key', id)).exitCode).toBe(0);
    await eventually(async () => expect((await get('/me', { apiKey: key })).status).toBe(401), { timeoutMs: 5_000 });
  });

  it('limit a key to routes, addresses and a lifetime', async () => {
    const { key: reader } = await createKey('--route', 'GET /v1/messages');
    expect((await get('/messages', { apiKey: reader })).status).toBe(200);
    expect((await get('/me', { apiKey: reader })).body).toMatchObject({ code: 'ROUTE_NOT_ALLOWED' });
    const { key: elsewhere } = await createKey('--ip', '203.0.113.0/24');
    const forged = { apiKey: elsewhere, headers: { 'x-forwarded-for': '203.0.113.9' } };
    expect((await get('/me', forged)).body).toMatchObject({ code: 'IP_NOT_ALLOWED' });
    const { key: expired } = await createKey('--expires', '2020-01-01T00:00:00Z').catch(() => ({ key: 'sb_live_x' }));
    expect((await get('/me', { apiKey: expired })).status).toBe(401);
  });

  it('change a plan and add credits', async () => {
    expect((await attempt('plans', 'list')).json['plans']).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'starter' })]),
    );
    expect((await attempt('plans', 'set', '--name', 'tiny', '--rate-limit', '2', '--rate-window', '60')).exitCode).toBe(
      0,
    );
    expect(
      (await attempt('credits', 'top-up', '--account', accountId, '--amount', '25', '--reason', 'welcome')).exitCode,
    ).toBe(0);
    const { key } = await createKey();
    expect((await get('/me', { apiKey: key })).body).toMatchObject({ credits: { utility: 25 } });
  });

  it("enforce the plan's rate limit with 429 and Retry-After", async () => {
    const { json } = await attempt('accounts', 'create', '--name', 'Third', '--plan', 'tiny');
    const { json: key } = await attempt('keys', 'create', '--account', String(json['accountId']), '--name', 'k');
    const statuses: number[] = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await get('/me', { apiKey: String(key['apiKey']) })).status);
    expect(statuses).toEqual([200, 200, 429]);
    const refused = await get('/me', { apiKey: String(key['apiKey']) });
    expect(refused.body).toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringContaining('rate limit exceeded'),
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it.each([
    ['an unknown account', ['keys', 'create', '--account', 'acc_nobody', '--name', 'x']],
    ['an unknown plan', ['accounts', 'create', '--name', 'x', '--plan', 'golden']],
    [
      'a webhook that does not pass the challenge',
      ['webhooks', 'set', '--account', demo.accountId, '--url', `${demo.simulatorUrl}/live`, '--verify-token', 't'],
    ],
  ])('report %s clearly', async (_what, words) => {
    const { exitCode, json } = await ops(...words);
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ success: false, message: expect.any(String), code: expect.any(String) });
  });
});
