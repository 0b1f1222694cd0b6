import { randomInt } from 'node:crypto';
import { NOBODY, post, refusalOf } from './calls';

const unknownTemplate = {
  type: 'template',
  template: { name: 'there_is_no_such_template', language: { code: 'en_US' } },
};

/** The API rejects all of these requests, so none may create a job or send a code. */
describe('chapters 8 and 9: errors', () => {
  const bulk = (body: object) => post('/messages/send/bulk', body).then(refusalOf);
  const sendCode = (body: object) =>
    post('/messages/send/authentication/utility', { to: NOBODY, otp: '482913', ...body });

  it('8.1.9 rejects an error of the whole request immediately', async () => {
    expect(await bulk({ recipients: [NOBODY], ...unknownTemplate })).toEqual([400, 'TEMPLATE_NOT_FOUND']);
    expect(await bulk(unknownTemplate)).toEqual([400, 'MISSING_FIELD']);
    expect(await bulk({ recipients: NOBODY, ...unknownTemplate })).toEqual([400, 'INVALID_PARAMETER']);
    expect(await bulk({ recipients: [NOBODY], type: 'text', text: { body: 'x'.repeat(4_097) } })).toEqual([
      422,
      'TEXT_TOO_LONG',
    ]);
  });

  it('9.1.2 returns 422 unless a code has 4 to 10 ASCII letters or digits', async () => {
    for (const otp of ['123', '12345678901', '48 913', 'ＡＢＣＤ', '12-34', ''])
      expect({ otp, answer: refusalOf(await sendCode({ otp })) }).toEqual({ otp, answer: [422, 'INVALID_VALUE'] });
  });

  it('9.1.3 accepts expiryMinutes as an integer from 1 to 90', async () => {
    for (const expiryMinutes of [0, 91, -1]) expect((await sendCode({ expiryMinutes })).status).toBe(422);
    for (const expiryMinutes of ['10', 1.5, true]) expect((await sendCode({ expiryMinutes })).status).toBe(400);
  });

  it('9.2.4 returns OTP_INVALID for any string other than the code', async () => {
    for (const otp of ['', ' ', '1', 'x'.repeat(40_000), '48 913', 'ünïcödé', 'a\u0000b', '\uD800']) {
      const { status, body } = await post('/otp/verify', { phone: `1500555${randomInt(1_000, 9_999)}`, otp });
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { code: 'OTP_INVALID', verified: false, attemptsRemaining: expect.any(Number) as number },
      });
    }
  });
});
