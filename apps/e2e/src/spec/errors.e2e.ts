import type { Answer, CallOptions } from '../support/api';
import { demo } from '../support/demo';
import { ask, get, NOBODY, post, refusalOf, send, sendForm } from './calls';

const text = { to: NOBODY, type: 'text', text: { body: 'x' } };
/** One error of each kind that any account can cause. */
const refusals: [what: string, method: string, path: string, options: CallOptions][] = [
  ['no key', 'GET', '/me', { apiKey: null }],
  ['no such path', 'GET', '/nothing', {}],
  ['no such job', 'GET', '/jobs/job_01jd0000000000000000000000', {}],
  ['no such method', 'DELETE', '/messages/send', {}],
  ['no JSON', 'POST', '/messages/send', { body: '{"to":' }],
  ['no object', 'POST', '/messages/send', { body: '[]' }],
  ['a missing field', 'POST', '/messages/send', { body: {} }],
  ['a wrong number', 'POST', '/messages/send', { body: { ...text, to: '12' } }],
  ['too much', 'POST', '/messages/send', { body: { ...text, more: 'x'.repeat(1 << 20) } }],
  ['another content type', 'POST', '/messages/send', { body: 'x', headers: { 'content-type': 'text/csv' } }],
  [
    'a broken form',
    'POST',
    '/messages/send',
    { body: 'no form at all', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
  ],
  ['a wrong page', 'GET', '/messages?page=0', {}],
  ['no code', 'POST', '/otp/verify', { body: { phone: NOBODY, otp: '482913' } }],
];

describe('chapter 6: errors', () => {
  const all = (): Promise<{ what: string; answer: Answer }[]> =>
    Promise.all(
      refusals.map(async ([what, method, path, options]) => ({ what, answer: await ask(method, path, options) })),
    );

  it('6.1.1 returns success, message, code, details and requestId with every error', async () => {
    for (const { what, answer } of await all()) {
      const { success, message, code, details, requestId } = answer.body;
      expect({ what, success, message, code, details, requestId }).toEqual({
        what,
        success: false,
        message: expect.stringMatching(/./) as string,
        code: expect.stringMatching(/^[A-Z_]+$/) as string,
        details: expect.any(Array) as unknown[],
        requestId: answer.headers.get('x-request-id'),
      });
    }
  });

  it('6.1.3 returns details as a list of fields', async () => {
    for (const { what, answer } of await all()) {
      expect({ what, details: answer.body['details'] }).toEqual({ what, details: expect.any(Array) as unknown[] });
      for (const detail of answer.body['details'] as object[])
        expect(detail).toEqual({ field: expect.any(String) as string, message: expect.any(String) as string });
    }
    const fieldsOf = async (body: object, path = '/messages/send'): Promise<unknown[]> =>
      ((await post(path, body)).body['details'] as { field: unknown }[]).map(({ field }) => field);
    expect(await fieldsOf({ type: 'text', text: { body: 'x' } })).toEqual(['to']);
    expect(await fieldsOf({})).toEqual(['to', 'type']);
    expect(new Set(await fieldsOf({}, '/otp/verify'))).toEqual(new Set(['phone', 'otp']));
    expect(new Set(await fieldsOf({}, '/messages/send/authentication/utility'))).toEqual(new Set(['to', 'otp']));
    const { details } = (await sendForm('/messages/send', { clientRef: 'x' })).body;
    expect(new Set((details as { field: unknown }[]).map(({ field }) => field))).toEqual(
      new Set(['to', 'type', 'file']),
    );
    expect(await fieldsOf({ ...text, to: '12' })).toEqual(['to']);
    for (const path of ['/nothing', '/messages/msg_01jd0000000000000000000000'])
      expect((await get(path)).body['details']).toEqual([]);
  });

  it('6.1.4 exposes no internals in errors', async () => {
    for (const { what, answer } of await all())
      expect({ what, text: JSON.stringify(answer.body) }).not.toMatchObject({
        text: expect.stringMatching(/node_modules|\bat .*\.[jt]s:|SELECT |amqp|postgres/i) as string,
      });
  });

  it('6.2.3 lists the allowed methods with a 405', async () => {
    const answer = await ask('DELETE', '/messages/send');
    expect(refusalOf(answer)).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(answer.headers.get('allow')).toContain('POST');
  });

  it('6.2.4 distinguishes invalid JSON from a non-object', async () => {
    for (const body of ['{"to":', 'x', '{"to":1,}'])
      expect(refusalOf(await post('/messages/send', body))).toEqual([400, 'INVALID_JSON']);
    for (const body of ['[]', '7', '"x"', 'null', 'true'])
      expect({ body, answer: refusalOf(await post('/messages/send', body)) }).toEqual({
        body,
        answer: [400, 'INVALID_PARAMETER'],
      });
  });

  it('6.2.5 returns 400 for a body with invalid UTF-8', async () => {
    const body = Buffer.concat([
      Buffer.from(`{"to":"${NOBODY}","type":"text","text":{"body":"`),
      Buffer.from([0xc3, 0x28, 0xff]),
      Buffer.from('"}}'),
    ]);
    const headers = { authorization: `Bearer ${demo.apiKey}`, 'content-type': 'application/json' };
    const response = await fetch(`${demo.baseUrl}/messages/send`, { method: 'POST', headers, body });
    const { code } = (await response.json()) as { code: string };
    expect({ status: response.status, isWindow: code === 'WINDOW_CLOSED' }).toEqual({ status: 400, isWindow: false });
  });

  it('6.2.6 returns 415 for an unsupported content type', async () => {
    for (const type of ['text/csv', 'application/xml', 'application/x-www-form-urlencoded']) {
      expect(refusalOf(await post('/messages/send', 'x', { headers: { 'content-type': type } }))).toEqual([
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ]);
    }
  });

  it('6.2.7 returns 413 with the limit for a body above 1 MB', async () => {
    const { status, body } = await send({ type: 'text', text: { body: 'x' }, more: 'x'.repeat(1 << 20) });
    expect({ status, body }).toMatchObject({
      status: 413,
      body: { code: 'PAYLOAD_TOO_LARGE', message: expect.stringMatching(/1 MB/) as string },
    });
  });

  it('6.3.1 starts messages with the fixed texts', async () => {
    const messages = [
      (await post('/messages/send', { type: 'text', text: { body: 'x' } })).body['message'],
      (await send({ ...text, to: '12' })).body['message'],
      (await send({ type: 'template', template: { name: 'there_is_no_such_template', language: { code: 'en_US' } } }))
        .body['message'],
      (await get('/me', { apiKey: null })).body['message'],
      (await get('/nothing')).body['message'],
    ];
    const texts = [
      'to is required',
      'phone number format is invalid',
      'template not found or not approved',
      'missing or invalid API key',
      'not found',
    ];
    expect(messages.map((message, index) => String(message).split(':')[0] === texts[index])).toEqual(
      texts.map(() => true),
    );
  });
});
