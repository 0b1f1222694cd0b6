import { type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';

describe('route with a plan feature', () => {
  let gateway: GatewayUnderTest;
  let handled = 0;

  beforeAll(async () => {
    gateway = await startGateway({
      prepare: (app) =>
        app
          .getHttpAdapter()
          .getInstance()
          .route({
            method: 'POST',
            url: '/v1/test/media',
            config: {
              features: [
                (request: { headers: Record<string, unknown> }) => (request.headers['x-media'] ? 'MEDIA' : undefined),
              ],
            },
            handler: () => {
              handled += 1;
              return { success: true };
            },
          }),
    });
  });
  afterAll(() => gateway.close());

  const post = (key: string, headers: Record<string, string> = {}) =>
    call(`${gateway.url}/v1/test/media`, { key, body: 'no json', headers });

  it('rejects and counts a request before reading its body', async () => {
    const { apiKey } = await gateway.customer({ plan: 'starter' });
    const { status, body, headers } = await post(apiKey, { 'x-media': 'yes' });
    expect([status, body.code, body.message]).toEqual([
      403,
      'FEATURE_NOT_IN_PLAN',
      expect.stringContaining('feature not available in your plan'),
    ]);
    expect(headers.get('x-ratelimit-remaining')).toBe('59');
    // The head of this request is valid; only its body is not.
    expect((await post(apiKey)).body.code).toBe('INVALID_JSON');
    expect(handled).toBe(0);
  });

  it('requires MEDIA for files, stickers and header files', async () => {
    const { apiKey } = await gateway.customer({ plan: 'starter' });
    const file = { link: 'https://example.com/a' };
    const choice = (header: object) => ({
      type: 'interactive',
      interactive: {
        type: 'button',
        header,
        body: { text: 'When?' },
        action: { buttons: [{ type: 'reply', reply: { id: 'a', title: 'Now' } }] },
      },
    });
    const answerTo = async (message: object): Promise<[number, unknown]> => {
      const { status, body } = await call(`${gateway.url}/v1/messages/send`, {
        key: apiKey,
        body: { to: '919812345678', ...message },
      });
      return [status, body.code];
    };
    for (const message of [
      ...['image', 'document', 'video', 'audio', 'sticker'].map((type) => ({ type, [type]: file })),
      ...['image', 'document', 'video'].map((type) => choice({ type, [type]: file })),
    ])
      expect([message, await answerTo(message)]).toEqual([message, [403, 'FEATURE_NOT_IN_PLAN']]);
    expect(await answerTo(choice({ type: 'text', text: 'Delivery' }))).toEqual([200, undefined]);
  });

  it("follows the account's overrides of the plan", async () => {
    const given = await gateway.customer({ plan: 'starter' });
    await gateway.services.overrides.setOverrides(given.accountId, { addedFeatures: ['MEDIA'] }, 'test');
    expect((await post(given.apiKey, { 'x-media': 'yes' })).body.code).toBe('INVALID_JSON');
    const taken = await gateway.customer({ plan: 'scale' });
    await gateway.services.overrides.setOverrides(taken.accountId, { removedFeatures: ['MEDIA'] }, 'test');
    expect((await post(taken.apiKey, { 'x-media': 'yes' })).body.code).toBe('FEATURE_NOT_IN_PLAN');
    const { body } = await call(`${gateway.url}/v1/me`, { key: taken.apiKey });
    expect(body.plan).toMatchObject({ name: 'scale', features: ['BULK_MSG_LIMIT', 'BULK_EXCEL', 'THIRD_PARTY_API'] });
  });

  it('rejects unknown plan features', async () => {
    const { accountId } = await gateway.customer();
    await expect(
      gateway.services.overrides.setOverrides(accountId, { addedFeatures: ['FLYING'] }, 'test'),
    ).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
  });
});
