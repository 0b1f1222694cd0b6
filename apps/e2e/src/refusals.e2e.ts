import { call, get, post } from './support/api';
import { contactWithOpenWindow, freshPhone, receivedUpstream } from './support/simulator';

const text = (to: unknown, body: unknown = 'Hello') => ({ to, type: 'text', text: { body } });
const template = (name: string, parameters: string[] = []) => ({
  to: freshPhone(),
  type: 'template',
  template: {
    name,
    language: { code: 'en_US' },
    components: [{ type: 'body', parameters: parameters.map((value) => ({ type: 'text', text: value })) }],
  },
});

const refusals: [string, () => ReturnType<typeof call>, number, string, string][] = [
  ['no key', () => get('/me', { apiKey: null }), 401, 'UNAUTHORIZED', 'missing or invalid API key'],
  [
    'a malformed key',
    () => get('/me', { apiKey: 'sb_live_nonsense' }),
    401,
    'UNAUTHORIZED',
    'missing or invalid API key',
  ],
  [
    'no recipient',
    () => post('/messages/send', { type: 'text', text: { body: 'x' } }),
    400,
    'MISSING_FIELD',
    'to is required',
  ],
  ['no type', () => post('/messages/send', { to: freshPhone() }), 400, 'MISSING_FIELD', 'type is required'],
  [
    'an unknown type',
    () => post('/messages/send', { to: freshPhone(), type: 'fax' }),
    400,
    'INVALID_PARAMETER',
    'type must be one of',
  ],
  [
    'a recipient that is a number',
    () => post('/messages/send', text(919812345678)),
    400,
    'INVALID_PARAMETER',
    'to must be a string',
  ],
  [
    'a recipient with a plus',
    () => post('/messages/send', text('+919812345678')),
    422,
    'INVALID_PHONE',
    'phone number format is invalid',
  ],
  [
    'too long a text',
    () => post('/messages/send', text(freshPhone(), 'x'.repeat(4097))),
    422,
    'TEXT_TOO_LONG',
    'text.body must be shorter',
  ],
  [
    'a NUL character',
    () => post('/messages/send', text(freshPhone(), 'a\u0000b')),
    422,
    'INVALID_VALUE',
    'characters that cannot be stored',
  ],
  [
    'an empty text',
    () => post('/messages/send', text(freshPhone(), '')),
    422,
    'INVALID_VALUE',
    'text.body must be longer',
  ],
  ['a closed window', () => post('/messages/send', text(freshPhone())), 400, 'WINDOW_CLOSED', '24-hour'],
  [
    'an unknown template',
    () => post('/messages/send', template('no_such_template')),
    400,
    'TEMPLATE_NOT_FOUND',
    'template not found or not approved',
  ],
  [
    'a pending template',
    () => post('/messages/send', template('spring_sale', ['x'])),
    400,
    'TEMPLATE_NOT_APPROVED',
    'template not found or not approved',
  ],
  [
    'wrong parameters',
    () => post('/messages/send', template('order_update', ['only one'])),
    400,
    'TEMPLATE_PARAMS_MISMATCH',
    'template parameters do not match',
  ],
  ['text that is not JSON', () => post('/messages/send', '{"to":'), 400, 'INVALID_JSON', 'not valid JSON'],
  ['a body that is a list', () => post('/messages/send', []), 400, 'INVALID_PARAMETER', 'JSON object'],
  [
    'a body that is a list where none is needed',
    () => post('/jobs/job_01jd0000000000000000000000/cancel', []),
    400,
    'INVALID_PARAMETER',
    'JSON object',
  ],
  [
    '20,000 lists in each other',
    () => post('/messages/send', '['.repeat(20_000) + ']'.repeat(20_000)),
    400,
    'INVALID',
    '',
  ],
  [
    'another content type',
    () => post('/messages/send', 'x', { headers: { 'content-type': 'text/csv' } }),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    '',
  ],
  [
    'more than 1 MB',
    () => post('/messages/send', { ...text(freshPhone()), more: 'x'.repeat(1 << 20) }),
    413,
    'PAYLOAD_TOO_LARGE',
    '',
  ],
  [
    'a caption on a text',
    () => post('/messages/send', { ...text(freshPhone()), caption: 'x' }),
    400,
    'CAPTION_NOT_ALLOWED',
    'caption',
  ],
  [
    'a link to a private address',
    () => post('/messages/send', { to: freshPhone(), type: 'image', image: { link: 'https://127.0.0.1/a.png' } }),
    422,
    'INVALID_LINK',
    'link',
  ],
  [
    'an unknown conversation',
    () => get(`/conversations/${freshPhone()}/messages`),
    404,
    'NOT_FOUND',
    'not found: no such conversation',
  ],
  [
    'a conversation with no phone',
    () => get('/conversations/12/messages'),
    422,
    'INVALID_PHONE',
    'phone number format is invalid',
  ],
  ['an unknown file', () => get('/media/med_01jd0000000000000000000000'), 404, 'NOT_FOUND', 'not found: no such file'],
  [
    'too long an Idempotency-Key',
    () => post('/messages/send', text(freshPhone()), { headers: { 'idempotency-key': 'k'.repeat(256) } }),
    422,
    'INVALID_VALUE',
    'Idempotency-Key',
  ],
  ['the wrong method', () => call('DELETE', '/messages/send'), 405, 'METHOD_NOT_ALLOWED', ''],
  ['an unknown route', () => get('/nothing'), 404, 'NOT_FOUND', 'not found: no such route: GET /v1/nothing'],
  ['an unknown job', () => get('/jobs/job_01jd0000000000000000000000'), 404, 'NOT_FOUND', 'not found: no such job'],
  ['a page that is no number', () => get('/messages?page=first'), 400, 'INVALID_PARAMETER', 'page'],
  [
    'an unknown code',
    () => post('/otp/verify', { phone: freshPhone(), otp: '482913' }),
    400,
    'OTP_INVALID',
    'invalid or expired OTP',
  ],
];

describe('a rejected request', () => {
  it.each(refusals)('returns the documented error for %s', async (_what, send, status, code, message) => {
    const answer = await send();
    expect({ status: answer.status, body: answer.body }).toMatchObject({
      status,
      body: {
        success: false,
        message: expect.stringContaining(message),
        code: expect.stringContaining(code),
        requestId: expect.any(String),
      },
    });
    expect(answer.headers.get('x-request-id')).toBe(answer.body['requestId']);
  });

  it('does not verify a code', async () => {
    expect((await post('/otp/verify', { phone: freshPhone(), otp: '482913' })).body).toMatchObject({
      verified: false,
      attemptsRemaining: expect.any(Number),
    });
  });

  it('sends nothing upstream when the window is closed', async () => {
    const to = freshPhone();
    await post('/messages/send', text(to));
    expect(await receivedUpstream(to)).toEqual([]);
  });

  it('does not affect the next valid request', async () => {
    const to = await contactWithOpenWindow();
    expect((await post('/messages/send', { ...text(to), text: { body: 5 } })).status).toBe(400);
    expect((await post('/messages/send', text(to))).status).toBe(200);
    expect(await receivedUpstream(to)).toHaveLength(1);
  });
});
