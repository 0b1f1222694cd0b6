import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, SAMPLE_RATES } from '@switchboard/testing';
import { addNumber, newAccount, type TestAccount } from '../support/account';
import { type Answer, call, type CallOptions } from '../support/api';
import { fileOf } from '../support/files';
import { demo, done, ROOT } from '../support/installation';
import { control, freshPhone, setTemplateStatus, writeIn, writeInAny } from '../support/simulator';
import { approved, createTemplate } from '../support/templates';

const MAGIC = {
  noAnswer: '15005550107',
  cutConnection: '15005550108',
  outOfOrder: '15005550116',
  throttled: '15005550156',
  refusesCredentials: '15005550190',
};
/** Codes that need a broken service or an installation with HTTPS, with the tests that cover them. */
const MET_ELSEWHERE = {
  HTTPS_REQUIRED: 'apps/gateway/test/access.int-spec.ts',
  INTERNAL: 'apps/gateway/test/internal-fault.int-spec.ts',
  UNAVAILABLE: 'apps/gateway/test/dependencies-away.proof-spec.ts',
  OUTCOME_UNKNOWN: 'apps/gateway/test/unknown-outcome.int-spec.ts',
  MEDIA_QUOTA_EXCEEDED: 'apps/messaging/test/media-files.int-spec.ts',
};
const TEMPLATE = { type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } };
/** Number in a market without a rate in the sample. */
const FRENCH = '33612345678';
const TEXT = { type: 'text', text: { body: 'Hello' } };
const IMAGE = { type: 'image', image: { link: 'https://example.com/a.png' } };

/** Reads the codes of the table in section 6.2, each with its status. */
function readTable(): Map<string, number> {
  const spec = readFileSync(join(ROOT, 'docs/spec.md'), 'utf8');
  const section = spec.slice(spec.indexOf('### 6.2 Codes'), spec.indexOf('### 6.3'));
  return new Map(
    [...section.matchAll(/^\| (\d{3}) \| (`[^|]+`) \|/gm)].flatMap(([, status, codes = '']) =>
      [...codes.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']): [string, number] => [code, Number(status)]),
    ),
  );
}

/** Reads the fixed texts of section 6.3, by code. */
function readTexts(): Map<string, string> {
  const spec = readFileSync(join(ROOT, 'docs/spec.md'), 'utf8');
  const section = spec.slice(spec.indexOf('### 6.3 Fixed texts'), spec.indexOf('## 7.'));
  return new Map(
    [...section.matchAll(/^\| (`[^|]+) \| `([^`]+)` \|/gm)].flatMap(([, codes = '', text = '']) =>
      [...codes.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']): [string, string] => [code, text]),
    ),
  );
}

describe('section 6.2: the table of codes', () => {
  let account: TestAccount;
  /** Account without credits, except for exactly one when the test adds it. */
  let codes: TestAccount;
  /** Account with a spend cap. */
  let capped: TestAccount;
  let stopped: string;
  let person: { phone: string; userId: string };
  let withWindow: string;
  let paused: string;
  let order: string;

  beforeAll(async () => {
    [account, capped, codes] = [
      await newAccount('Codes of errors'),
      await newAccount('Codes of errors, cap'),
      await newAccount('Codes of errors, OTP', { plan: 'starter' }),
    ];
    const [pausedTemplate, orderTemplate] = await Promise.all([
      createTemplate([{ type: 'BODY', text: 'Good morning.' }]),
      createTemplate([{ type: 'BODY', text: 'Your order {{1}} is on its way.', example: { body_text: [['A-17']] } }]),
    ]);
    [paused, order] = [pausedTemplate.name, orderTemplate.name];
    await Promise.all([
      approved(account, ['hello_world', 'verification_code', paused, order]),
      approved(codes, ['verification_code']),
      approved(capped, ['hello_world']),
    ]);
    const ratesFile = join(tmpdir(), `rates-of-codes-${process.pid}.csv`);
    await writeFile(ratesFile, SAMPLE_RATES);
    await done('rates', 'import', ratesFile);
    await rm(ratesFile);
    stopped = (await addNumber(account.accountId)).phoneNumber;
    const of = (accountId: string, ...words: string[]) =>
      done('accounts', 'override', '--account', accountId, ...words);
    await of(account.accountId, '--bulk-recipients', '10');
    await of(codes.accountId, '--add-feature', 'THIRD_PARTY_API');
    await done('credits', 'top-up', '--account', codes.accountId, '--amount', '1', '--reason', 'test');
    await done('otp', 'set', '--account', codes.accountId, '--template', 'verification_code');
    await done('otp', 'set', '--account', codes.accountId, '--sends-per-prefix', '1');
    withWindow = freshPhone();
    await writeIn(withWindow, 'Hello', { to: account.phoneNumber });
    person = await control('POST', '/people', { phone: freshPhone(), name: 'Hidden', hidePhone: true });
    await writeInAny({ from: person.phone, ...TEXT, to: account.phoneNumber });
    await setTemplateStatus(paused, { language: 'en_US', event: 'PAUSED' });
    await eventually(async () => expect((await account.api.listConversations()).conversations.length).toBe(2));
  }, 120_000);

  const as = (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
    call(method, path, { apiKey: account.apiKey, ...options });
  const post = (path: string, body: object | string, options: CallOptions = {}): Promise<Answer> =>
    as('POST', path, { body, ...options });
  const send = (body: object, to: unknown = withWindow, options: CallOptions = {}): Promise<Answer> =>
    post('/messages/send', { to, ...body }, options);
  const upload = async (type: string, file: File): Promise<Answer> => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ to: withWindow, type })) form.append(name, value);
    form.append('file', file);
    const response = await fetch(`${demo.baseUrl}/messages/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.apiKey}` },
      body: form,
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
  };
  const keyOf = async (...words: string[]): Promise<string> =>
    String((await done('keys', 'create', '--account', account.accountId, '--name', 'k', ...words))['apiKey']);
  const sendCode = (to: string): Promise<Answer> =>
    post('/messages/send/authentication/utility', { to, otp: '482913' }, { apiKey: codes.apiKey });
  const template = (name: string, components: object[] = []): object => ({
    type: 'template',
    template: { name, language: { code: 'en_US' }, components },
  });

  const withCap = (amount: string) =>
    done('caps', 'set', '--account', capped.accountId, '--amount', amount, '--currency', 'USD');

  /** Requests that produce each code. */
  const ways: Record<string, () => Promise<Answer>> = {
    MISSING_FIELD: () => post('/messages/send', TEXT),
    INVALID_PARAMETER: () => send({ type: 'text', text: { body: 5 } }),
    INVALID_JSON: () => post('/messages/send', '{"to":'),
    TEMPLATE_NOT_FOUND: () => send(template('no_such_template')),
    TEMPLATE_NOT_APPROVED: () =>
      eventually(async () => {
        const answer = await send(template(paused));
        expect(answer.status).toBe(400);
        return answer;
      }),
    TEMPLATE_PARAMS_MISMATCH: () => send(template(order)),
    WINDOW_CLOSED: () => send(TEXT, freshPhone()),
    PHONE_REQUIRED: () => {
      const code = { type: 'text', text: '482913' };
      const button = { type: 'button', sub_type: 'url', index: '0', parameters: [code] };
      return send(template('verification_code', [{ type: 'body', parameters: [code] }, button]), person.userId);
    },
    CAPTION_NOT_ALLOWED: () => send({ ...TEXT, caption: 'x' }),
    MEDIA_NOT_FOUND: () => send({ type: 'image', image: { id: 'med_01jd0000000000000000000000' } }),
    UNSUPPORTED_MEDIA: () => upload('image', fileOf('document', 'a.png')),
    FILE_INVALID: () => upload('image', new File([], 'a.png')),
    BULK_LIMIT_EXCEEDED: () => {
      const recipients = Array.from({ length: 11 }, freshPhone);
      return post('/messages/send/bulk', { recipients, ...TEMPLATE });
    },
    OTP_INVALID: () => post('/otp/verify', { phone: freshPhone(), otp: '482913' }),
    UNAUTHORIZED: () => as('GET', '/me', { apiKey: null }),
    FEATURE_NOT_IN_PLAN: () => send(IMAGE, withWindow, { apiKey: codes.apiKey }),
    IP_NOT_ALLOWED: async () => as('GET', '/me', { apiKey: await keyOf('--ip', '203.0.113.0/24') }),
    ROUTE_NOT_ALLOWED: async () => as('GET', '/me', { apiKey: await keyOf('--route', 'GET /v1/templates') }),
    ACCOUNT_SUSPENDED: async () => {
      const { accountId, apiKey } = await newAccount('Codes of errors, suspended');
      await done('accounts', 'suspend', '--account', accountId, '--reason', 'test');
      return eventually(async () => {
        const answer = await as('GET', '/me', { apiKey });
        expect(answer.status).not.toBe(200);
        return answer;
      });
    },
    INSUFFICIENT_CREDITS: async () => {
      // One credit pays for the first code only.
      await sendCode(freshPhone());
      return sendCode(freshPhone());
    },
    SPEND_CAP_REACHED: async () => {
      await withCap('0');
      return send({ ...TEMPLATE, from: capped.phoneNumber }, freshPhone(), { apiKey: capped.apiKey });
    },
    RECIPIENT_OPTED_OUT: async () => {
      const phone = freshPhone();
      await done('contacts', 'set', '--account', account.accountId, '--phone', phone, '--blocked', 'yes');
      return send(TEMPLATE, phone);
    },
    RECIPIENT_BLOCKED: async () => {
      const phone = freshPhone();
      await writeIn(phone, 'Hello', { to: account.phoneNumber });
      await eventually(async () => expect((await post(`/contacts/${phone}/block`, {})).status).toBe(200));
      return send(TEMPLATE, phone);
    },
    NOT_FOUND: () => as('GET', '/messages/msg_01jd0000000000000000000000'),
    METHOD_NOT_ALLOWED: () => as('DELETE', '/messages/send'),
    IDEMPOTENCY_IN_PROGRESS: async () => {
      const headers = { 'idempotency-key': randomUUID() };
      const both = await Promise.all([1, 2].map(() => send(TEMPLATE, MAGIC.noAnswer, { headers })));
      const [refused, slow] = both.toSorted((one, other) => one.status - other.status);
      expect(slow).toMatchObject({ status: 504, body: { code: 'UPSTREAM_TIMEOUT' } });
      return refused as Answer;
    },
    NUMBER_STOPPED: async () => {
      await send({ ...TEMPLATE, from: stopped }, MAGIC.refusesCredentials);
      return send({ ...TEMPLATE, from: stopped }, freshPhone());
    },
    MEDIA_IN_USE: async () => {
      const { id } = await account.api.uploadMedia({ file: fileOf('image', 'a.png') });
      const to = freshPhone();
      await post('/messages/send/bulk', { recipients: [to], type: 'image', image: { id }, hold: true });
      return as('DELETE', `/media/${id}`);
    },
    JOB_STATE_CONFLICT: async () => {
      const { body } = await post('/messages/send/bulk', { recipients: [freshPhone()], ...TEMPLATE, hold: true });
      await post(`/jobs/${String(body['jobId'])}/cancel`, {});
      return post(`/jobs/${String(body['jobId'])}/pause`, {});
    },
    PAYLOAD_TOO_LARGE: () => send({ ...TEXT, more: 'x'.repeat(1 << 20) }),
    UNSUPPORTED_MEDIA_TYPE: () => post('/messages/send', 'x', { headers: { 'content-type': 'text/csv' } }),
    RANGE_NOT_SATISFIABLE: async () => {
      const from = freshPhone();
      await writeInAny({ from, type: 'image', image: {}, to: account.phoneNumber });
      const [message] = await eventually(async () => {
        const { messages } = await account.api.listMessages({ phone: from });
        expect(messages.length).toBe(1);
        return messages as unknown as { image: { id: string } }[];
      });
      return as('GET', `/media/${String(message?.image.id)}`, { headers: { range: 'bytes=9999999-' } });
    },
    INVALID_PHONE: () => send(TEXT, '12'),
    TEXT_TOO_LONG: () => send({ type: 'text', text: { body: 'x'.repeat(4_097) } }),
    INVALID_LINK: () => send({ type: 'image', image: { link: 'http://example.com/a.png' } }),
    INVALID_VALUE: () => send({ type: 'text', text: { body: ' ' } }),
    RATE_UNKNOWN: async () => {
      await withCap('100');
      return send({ ...TEMPLATE, from: capped.phoneNumber }, FRENCH, { apiKey: capped.apiKey });
    },
    IDEMPOTENCY_MISMATCH: async () => {
      const headers = { 'idempotency-key': randomUUID() };
      expect((await send(TEXT, withWindow, { headers })).status).toBe(200);
      return send({ type: 'text', text: { body: 'other' } }, withWindow, { headers });
    },
    RATE_LIMITED: async () => {
      const { accountId, apiKey } = await newAccount('Codes of errors, limited');
      const limit = ['--rate-limit', '1', '--rate-window', '3600', '--rate-burst', '1'];
      await done('accounts', 'override', '--account', accountId, ...limit);
      return eventually(async () => {
        const answer = await as('GET', '/me', { apiKey });
        expect(answer.status).not.toBe(200);
        return answer;
      });
    },
    OTP_MAX_ATTEMPTS: async () => {
      const body = { phone: freshPhone(), otp: '482913' };
      for (let failures = 0; failures < 5; failures += 1) await post('/otp/verify', body);
      return post('/otp/verify', body);
    },
    OTP_TOO_MANY_SENDS: async () => {
      const start = freshPhone().slice(0, -4);
      await done('credits', 'top-up', '--account', codes.accountId, '--amount', '1', '--reason', 'test');
      expect((await sendCode(`${start}0001`)).status).toBe(200);
      return sendCode(`${start}0002`);
    },
    UPSTREAM_THROTTLED: () => send(TEMPLATE, MAGIC.throttled),
    UPSTREAM_ERROR: () => send(TEMPLATE, MAGIC.outOfOrder),
    UPSTREAM_TIMEOUT: () => send(TEMPLATE, MAGIC.cutConnection),
  };

  it.each(Object.keys(ways))(
    '6.2.1 returns %s with the status of the table',
    async (code) => {
      const answer = await ways[code]?.();
      expect({ status: answer?.status, body: answer?.body }).toMatchObject({
        status: readTable().get(code),
        body: { success: false, code, message: expect.stringMatching(/./) as string, details: expect.any(Array) as [] },
      });
      const [words] = String(answer?.body['message']).split(':');
      expect(words).toBe(readTexts().get(code) ?? words);
    },
    60_000,
  );

  it('6.3.1 lists the nine codes with a fixed text', () => {
    expect([...readTexts().keys()]).toEqual([
      'MISSING_FIELD',
      'INVALID_PHONE',
      'TEMPLATE_NOT_FOUND',
      'TEMPLATE_NOT_APPROVED',
      'FEATURE_NOT_IN_PLAN',
      'UNAUTHORIZED',
      'RATE_LIMITED',
      'NOT_FOUND',
      'INTERNAL',
    ]);
  });

  it('6.2.1 lists exactly the codes that a caller can receive', () => {
    expect([...readTable().keys()].toSorted()).toEqual(
      [...Object.keys(ways), ...Object.keys(MET_ELSEWHERE)].toSorted(),
    );
    // The description is generated from the codes of the service.
    const { components } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
      components: { schemas: { Error: { properties: { code: { enum: string[] } } } } };
    };
    expect(components.schemas.Error.properties.code.enum.toSorted()).toEqual([...readTable().keys()].toSorted());
  });
});
