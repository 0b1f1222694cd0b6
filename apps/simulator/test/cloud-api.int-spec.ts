import {
  ACCESS_TOKEN,
  helloWorld,
  PHONE_NUMBER_ID,
  startSimulator,
  type StartedSimulator,
  WABA_ID,
} from './start-simulator';

let simulator: StartedSimulator;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.close());

async function call(
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }> {
  const headers = { authorization: `Bearer ${ACCESS_TOKEN}`, 'content-type': 'application/json', ...init.headers };
  const answer = await fetch(simulator.url + path, { ...init, headers });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown>, headers: answer.headers };
}

const post = (path: string, body: unknown, headers = {}) =>
  call(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers });
const messages = `/v24.0/${PHONE_NUMBER_ID}/messages`;
const valid = { messaging_product: 'whatsapp', ...helloWorld, to: '+919812345678' };

describe('simulated Cloud API', () => {
  it('returns 400 with code 104 without a token, and 401 with code 190 for an invalid token', async () => {
    expect(await post(messages, valid, { authorization: '' })).toMatchObject({
      status: 400,
      body: { error: { code: 104, type: 'OAuthException' } },
    });
    const wrong = await post(messages, valid, { authorization: 'Bearer other' });
    expect(wrong).toMatchObject({ status: 401, body: { error: { code: 190, fbtrace_id: expect.any(String) } } });
    expect(wrong.headers.get('www-authenticate')).toContain('OAuth "Facebook Platform"');
  });

  it('returns 400 with code 100 and subcode 33 for an unknown number', async () => {
    const { status, body } = await post('/v24.0/999/messages', valid);
    expect([status, body]).toEqual([
      400,
      { error: expect.objectContaining({ code: 100, error_subcode: 33, type: 'GraphMethodException' }) },
    ]);
    expect(await call('/v24.0/999')).toMatchObject({ status: 400, body: { error: { error_subcode: 33 } } });
    expect(await call('/v24.0/999/message_templates')).toMatchObject({
      status: 400,
      body: { error: { error_subcode: 33 } },
    });
  });

  it('returns 404 with code 132001 and details for a missing template', async () => {
    const { status, body } = await post(messages, {
      ...valid,
      template: { name: 'nope', language: { code: 'en_US' } },
    });
    expect([status, body]).toMatchObject([
      404,
      {
        error: {
          code: 132001,
          error_data: { messaging_product: 'whatsapp', details: 'template name (nope) does not exist in en_US' },
        },
      },
    ]);
    expect(body.error).not.toHaveProperty('error_subcode');
  });

  it.each(['{', '[]', '"x"', 'null', ''])('returns 400 with code 100 for the body %j', async (body) => {
    expect(await post(messages, body)).toMatchObject({ status: 400, body: { error: { code: 100 } } });
  });

  it.each(['/', '/v24/1', '/24.0/1/messages', '/v24.0/1/nothing/here'])(
    'returns 400 with code 2500 for an unknown path under %s',
    async (path) => {
      expect(await post(path, valid)).toMatchObject({ status: 400, body: { error: { code: 2500 } } });
    },
  );
});

describe('simulated read API', () => {
  it('lists templates on all pages with the client', async () => {
    const names: string[] = [];
    let after: string | undefined;
    do {
      const page = await simulator.client.listTemplates({
        wabaId: WABA_ID,
        accessToken: ACCESS_TOKEN,
        limit: 3,
        after,
      });
      names.push(...page.templates.map(({ name, status }) => `${name} ${status}`));
      after = page.after;
    } while (after);
    expect(names).toEqual([
      'order_update APPROVED',
      'hello_world APPROVED',
      'verification_code APPROVED',
      'spring_sale PENDING',
    ]);
  });

  it('returns an absolute URL of the next page, except on the last page', async () => {
    const { body } = await call(`/v24.0/${WABA_ID}/message_templates?limit=3&fields=name`);
    const next = (body.paging as { next: string }).next;
    expect(next).toMatch(
      new RegExp(`^${simulator.url}/v24.0/${WABA_ID}/message_templates\\?limit=3&fields=name&after=`),
    );
    const last = await call(next.slice(simulator.url.length));
    expect(last.body).toEqual({
      data: [{ name: 'spring_sale', id: expect.any(String) }],
      paging: { cursors: { before: expect.any(String), after: expect.any(String) } },
    });
  });

  it('shows an OTP template with a URL button, and a template by id', async () => {
    const { templates } = await simulator.client.listTemplates({ wabaId: WABA_ID, accessToken: ACCESS_TOKEN });
    const otp = templates.find(({ name }) => name === 'verification_code')!;
    expect(otp.components?.find(({ type }) => type === 'BUTTONS')?.buttons?.[0]?.type).toBe('URL');
    expect((await call(`/v24.0/${otp.id}?fields=status`)).body).toEqual({ status: 'APPROVED', id: otp.id });
  });

  it("shows the number, its latest quality, and the account's numbers", async () => {
    const read = () => simulator.client.getNumber({ phoneNumberId: PHONE_NUMBER_ID, accessToken: ACCESS_TOKEN });
    expect(await read()).toMatchObject({
      quality_rating: 'GREEN',
      display_phone_number: '+1 555-078-3881',
      whatsapp_business_manager_messaging_limit: 'TIER_2K',
    });
    await simulator.control('numbers/15550783881/quality', { rating: 'YELLOW' });
    expect((await read()).quality_rating).toBe('YELLOW');
    expect((await call(`/v24.0/${WABA_ID}/phone_numbers`)).body).toMatchObject({
      data: [{ id: PHONE_NUMBER_ID, quality_rating: 'YELLOW' }],
    });
  });
});

it.each(['/live', '/ready'])('returns 200 for %s without a token', async (path) =>
  expect((await fetch(simulator.url + path)).status).toBe(200),
);
