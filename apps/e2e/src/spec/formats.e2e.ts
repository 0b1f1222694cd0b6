import { demo } from '../support/demo';
import { ask, get, NOBODY, post, refusalOf, send } from './calls';

const text = { type: 'text', text: { body: 'x' } };
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: unknown[];
  const?: unknown;
  deprecated?: boolean;
}
interface Description {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: Schema }> }> }>
  >;
  components: { schemas: Record<string, Schema> };
}

describe('chapter 1: transport and formats', () => {
  let description: Description;

  beforeAll(async () => {
    description = (await get('/openapi.json', { apiKey: null })).body as unknown as Description;
  });

  const resolved = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : (description.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  const valuesOf = (schema: string, field: string): unknown[] => {
    const { properties = {} } = description.components.schemas[schema] ?? {};
    return resolved(properties[field] ?? {}).enum ?? [];
  };
  const successes = () =>
    Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        Object.entries(responses)
          .filter(([status]) => status.startsWith('2'))
          .map(([status, { content = {} }]) => ({ what: `${method} ${path}`, status, content })),
      ),
    );

  it('1.1.1 describes all paths below the base URL, which ends in /v1', async () => {
    const paths = Object.keys(description.paths);
    expect(paths.length).toBeGreaterThan(20);
    for (const path of paths) expect(path).toMatch(/^\/v1\//);
    expect(demo.baseUrl).toMatch(/\/v1$/);
    expect((await get('/me')).status).toBe(200);
    expect((await get('/../me')).status).toBe(404);
  });

  it('1.1.2 returns JSON to clients that accept it, and accepts JSON and forms', async () => {
    const { status, headers } = await get('/me', { headers: { accept: 'application/json' } });
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^application\/json/) as string]);
    const { paths } = description as unknown as {
      paths: Record<string, { post?: { requestBody?: { content: object } } }>;
    };
    const types = Object.entries(paths).flatMap(([path, { post: one }]) => {
      const content = Object.keys(one?.requestBody?.content ?? {});
      return content.includes('multipart/form-data') ? [[path, ...content.sort()]] : [];
    });
    expect(types).toEqual([
      ['/v1/messages/send', 'application/json', 'multipart/form-data'],
      ['/v1/media', 'multipart/form-data'],
      ['/v1/messages/send/bulk/excel', 'multipart/form-data'],
    ]);
  });

  it('1.1.3 describes every success as a JSON object, except a file download', () => {
    const files = successes().filter(({ content }) => !('application/json' in content));
    expect([...new Set(files.map(({ what }) => what))].sort()).toEqual([
      'get /v1/jobs/sample.xlsx',
      'get /v1/jobs/{jobId}/results.csv',
      'get /v1/jobs/{jobId}/results.xlsx',
      'get /v1/media/{id}',
    ]);
    const types = successes().flatMap(({ content: { 'application/json': json } }) =>
      json ? resolved(json.schema).type : [],
    );
    expect([...new Set(types)]).toEqual(['object']);
  });

  it('1.1.4 requires success: true in every JSON success', () => {
    for (const { what, content } of successes()) {
      const json = content['application/json'];
      if (!json) continue;
      const { required = [], properties = {} } = resolved(json.schema);
      expect({ what, isRequired: required.includes('success'), value: properties['success']?.const }).toEqual({
        what,
        isRequired: true,
        value: true,
      });
    }
  });

  it('1.1.6 returns 200 for reads, sends and OTP calls, and 201 for new jobs', () => {
    const statusesOf = (method: string, ...paths: string[]): string[] => [
      ...new Set(
        successes().flatMap(({ what, status }) =>
          what.startsWith(`${method} `) && (paths.length === 0 || paths.includes(what.slice(method.length + 1)))
            ? [status]
            : [],
        ),
      ),
    ];
    // Status 206 returns a part of a file.
    expect(statusesOf('get').sort()).toEqual(['200', '206']);
    const sends = ['/v1/messages/send', '/v1/messages/send/authentication/utility', '/v1/otp/verify'];
    expect(statusesOf('post', ...sends)).toEqual(['200']);
    expect(statusesOf('post', '/v1/jobs/{jobId}/retry-failed', '/v1/media')).toEqual(['201']);
    const jobs = ['/v1/messages/send/bulk', '/v1/messages/send/bulk/excel'];
    expect(statusesOf('post', ...jobs).sort()).toEqual(['200', '201']);
  });

  it('1.3.4 uses lowercase states, and uppercase template states, categories and codes', () => {
    const lower = [...valuesOf('Message', 'status'), ...valuesOf('Job', 'status')];
    const upper = [...valuesOf('Template', 'category'), ...valuesOf('TemplateStatusEvent', 'status')];
    const codes = valuesOf('Error', 'code');
    expect([lower.length, upper.length, codes.length]).toEqual([13, 8, 49]);
    for (const value of lower) expect(value).toMatch(/^[a-z]+$/);
    for (const value of upper) expect(value).toMatch(/^[A-Z]+$/);
    for (const value of codes) expect(value).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
  });

  it('5.3.3 defines ten error categories', () => {
    expect(valuesOf('MessageError', 'category')).toEqual([
      'auth',
      'rate_limit',
      'integrity',
      'template',
      'window',
      'undeliverable',
      'media',
      'optout',
      'credit',
      'other',
    ]);
  });

  it('5.1.11 deprecates messageId of records and recipients, but not message_id', () => {
    for (const name of ['Message', 'JobRecipient']) {
      const { properties = {} } = description.components.schemas[name] ?? {};
      expect([properties['messageId']?.deprecated, properties['message_id']?.deprecated]).toEqual([true, undefined]);
    }
  });

  it('10.1.8 defines the template categories marketing, utility and authentication', () => {
    expect(valuesOf('Template', 'category').toSorted()).toEqual(['AUTHENTICATION', 'MARKETING', 'UTILITY']);
  });

  it('1.1.3 returns a JSON object even for errors', async () => {
    for (const { headers, body } of [await get('/me'), await get('/nothing')]) {
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(body['success']).toEqual(expect.any(Boolean));
    }
  });

  it('1.1.4 returns success: true with a success', async () => {
    for (const path of ['/me', '/messages', '/contacts', '/conversations', '/templates', '/jobs'])
      expect((await get(path)).body['success']).toBe(true);
  });

  it('1.1.5 returns success: false and a message with an error', async () => {
    expect((await get('/nothing')).body).toMatchObject({
      success: false,
      message: expect.stringMatching(/./) as string,
    });
  });

  it('1.1.8 accepts unknown fields and query parameters with a warning', async () => {
    const unknown = (field: string, kind: string): object => ({
      field,
      message: `${field} is not a known ${kind} and was ignored`,
    });
    const { status, body } = await get('/messages?limit=1&colour=red');
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { success: true, warnings: [unknown('colour', 'query parameter')] },
    });
    const many = Object.fromEntries(Array.from({ length: 20 }, (_unused, index) => [`more${index}`, index]));
    const answer = await get(`/me?${new URLSearchParams(many as unknown as Record<string, string>).toString()}`);
    expect([answer.status, (answer.body['warnings'] as unknown[]).length]).toEqual([200, 10]);
    expect((await get('/me')).body).not.toHaveProperty('warnings');
    const file = await get('/jobs/sample.xlsx?colour=red');
    expect([file.status, String(file.body['text']).slice(0, 2), file.headers.get('warning')]).toEqual([
      200,
      'PK',
      null,
    ]);
  });

  it('1.1.10 uses camelCase names, except message_id', async () => {
    const { components, paths } = (await get('/openapi.json', { apiKey: null })).body as {
      components: { schemas: Record<string, unknown> };
      paths: object;
    };
    const names = new Set([...fieldsOf(components), ...fieldsOf(paths)]);
    expect(names.size).toBeGreaterThan(100);
    // Components of a template use the names of the upstream platform.
    const upstreamNames = [
      'sub_type',
      'parameter_name',
      'coupon_code',
      'card_index',
      'limited_time_offer',
      'expiration_time_ms',
      'catalog_id',
      'product_items',
      'product_retailer_id',
      'thumbnail_product_retailer_id',
      'flow_action_data',
      'flow_token',
    ];
    const ofTemplates = [
      'TemplateComponent',
      'CouponCodeParameter',
      'LimitedTimeOfferParameter',
      'TemplateCard',
      'OfferValue',
      'ActionValue',
      'ProductValue',
      'ProductSection',
    ].flatMap((name) => fieldsOf(components.schemas[name]));
    expect(ofTemplates).toEqual(expect.arrayContaining(upstreamNames));
    // Alternative names from the upstream platform (3.10.8), each of which has a camelCase equivalent.
    const alsoTaken = [
      'preview_url',
      'display_text',
      'flow_action',
      'flow_action_payload',
      'flow_cta',
      'flow_id',
      'flow_message_version',
      'flow_name',
      'formatted_name',
      'first_name',
      'last_name',
      'middle_name',
      'wa_id',
      'country_code',
    ];
    expect([...names]).toEqual(expect.arrayContaining(alsoTaken.map(toCamelCase)));
    expect([...names].filter((name) => !/^[a-z][a-zA-Z0-9]*$/.test(name)).sort()).toEqual(
      ['message_id', ...upstreamNames, ...alsoTaken].sort(),
    );
    const events = Object.entries(components.schemas).filter(([name]) => name.endsWith('Event'));
    expect(events.length).toBeGreaterThan(10);
    expect(fieldsOf(events.map(([, schema]) => schema))).not.toContain('message_id');
  });

  it('1.3.1 prefixes identifiers with their kind', async () => {
    const { account, apiClient } = (await get('/me')).body as { account: { id: string }; apiClient: { id: string } };
    expect([account.id, apiClient.id]).toEqual([expect.stringMatching(/^acc_/), expect.stringMatching(/^key_/)]);
  });

  it('1.3.3 returns times in ISO 8601, UTC, with milliseconds', async () => {
    const { account, rateLimit } = (await get('/me')).body as {
      account: { createdAt: string };
      rateLimit: { resetAt: string };
    };
    expect([account.createdAt, rateLimit.resetAt]).toEqual([expect.stringMatching(UTC), expect.stringMatching(UTC)]);
  });

  it('1.4.2 returns 422 for a malformed phone number, wherever one is accepted', async () => {
    for (const phone of [
      '12',
      '1234567',
      '+919812345678',
      '0919812345678',
      '91 98123 45678',
      '9198-1234567',
      '91981234567a',
      '９１９８１２３４５６７８',
      '9'.repeat(16),
      '',
    ]) {
      const answers = [await send({ ...text, to: phone }), await post('/otp/verify', { phone, otp: '482913' })];
      expect({ phone, answers: answers.map(refusalOf) }).toEqual({
        phone,
        answers: [
          [422, 'INVALID_PHONE'],
          [422, 'INVALID_PHONE'],
        ],
      });
    }
    for (const answer of [
      await get('/messages?phone=12'),
      await get('/conversations/12/messages'),
      await get('/jobs/job_01jd0000000000000000000000/recipients?phone=12'),
      await post('/contacts/12/block', {}),
      await ask('DELETE', '/contacts/12/block'),
      await post(`/contacts/${NOBODY}/block?from=12`, {}),
      await post('/messages/send/authentication/utility', { to: '12', otp: '482913' }),
      await send({ ...text, from: '12' }),
    ])
      expect(refusalOf(answer)).toEqual([422, 'INVALID_PHONE']);
  });

  it('1.4.4 suggests the expected format and a likely number', async () => {
    const messageOf = async (to: string): Promise<unknown> => (await send({ ...text, to })).body['message'];
    const wanted = 'phone number format is invalid: digits only, with country code, without +';
    expect(await messageOf('+91 98123-45679')).toBe(`${wanted}; did you mean 919812345679?`);
    expect(await messageOf('919800001027.0')).toBe(`${wanted}; did you mean 919800001027?`);
    expect(await messageOf('+44 (0)7911 123456')).toBe(`${wanted}; did you mean 447911123456?`);
    for (const unclear of ['12', '919800001027.5', '+1 (0) 212 555 1234', '(415) 555-2671'])
      expect([unclear, await messageOf(unclear)]).toEqual([unclear, wanted]);
  });

  it('1.4.3 returns 400 for a number that is not a string', async () => {
    for (const phone of [919812345678, true, ['919812345678'], { number: '919812345678' }]) {
      const answers = [
        await send({ ...text, to: phone }),
        await send({ ...text, from: phone }),
        await post('/messages/send/bulk', { ...text, recipients: [NOBODY], from: phone }),
        await post('/otp/verify', { phone, otp: '482913' }),
        await post('/messages/send/authentication/utility', { to: phone, otp: '482913' }),
      ];
      for (const answer of answers)
        expect({ phone, answer: refusalOf(answer) }).toEqual({ phone, answer: [400, 'INVALID_PARAMETER'] });
    }
    for (const answer of [
      await send({ ...text, to: null }),
      await post('/otp/verify', { phone: null, otp: '482913' }),
      await post('/messages/send/authentication/utility', { to: null, otp: '482913' }),
    ])
      expect(refusalOf(answer)).toEqual([400, 'MISSING_FIELD']);
    // If null were treated like a missing `from`, the primary number would send when the window is open.
    expect(refusalOf(await send({ ...text, from: null }))).toEqual([400, 'WINDOW_CLOSED']);
  });

  it('1.5.1 sends X-Request-Id with every response', async () => {
    const answers = [
      await get('/me'),
      await get('/nothing'),
      await get('/me', { apiKey: null }),
      await get('/jobs/sample.xlsx'),
      await post('/messages/send', '{'),
    ];
    for (const { headers } of answers) expect(headers.get('x-request-id')).toMatch(/./);
  });

  it('1.5.2 keeps a valid X-Request-Id and replaces any other', async () => {
    const asked = async (id: string): Promise<string | null> =>
      (await get('/me', { headers: { 'x-request-id': id } })).headers.get('x-request-id');
    expect(await asked('mine-1234')).toBe('mine-1234');
    expect(await asked('not valid'.repeat(50))).toMatch(/^req_/);
  });

  it('1.5.3 repeats the request id as requestId in errors', async () => {
    const { body } = await get('/nothing', { headers: { 'x-request-id': 'mine-5678' } });
    expect(body['requestId']).toBe('mine-5678');
  });

  it('13.1.1 returns 404 for any other version', async () => {
    for (const path of ['/../v2/me', '/../v0/me', `/../v2/conversations/${NOBODY}/messages`])
      expect(refusalOf(await ask('GET', path))).toEqual([404, 'NOT_FOUND']);
  });
});

const toCamelCase = (name: string): string => name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

/** Returns the names of all fields and parameters in a part of the API description. */
function fieldsOf(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { properties, in: place, name } = part as { properties?: object; in?: unknown; name?: unknown };
  const own = typeof properties === 'object' ? Object.keys(properties) : [];
  if (typeof name === 'string' && (place === 'query' || place === 'path')) own.push(name);
  return [...own, ...Object.values(part).flatMap(fieldsOf)];
}
