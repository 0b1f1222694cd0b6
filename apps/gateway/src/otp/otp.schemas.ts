import { integer, object, phone, ref, type Schema, success, text } from '../reference/schema';

export const otpSchemas = {
  VerifyOtpRequest: object({ phone, otp: text('4 to 10 letters or digits', { pattern: '^[A-Za-z0-9]{4,10}$' }) }, { example: { phone: '919812345678', otp: '482913' } }),
  VerifyOtpResponse: object({ success, verified: { type: 'boolean', const: true } }, { example: { success: true, verified: true } }),
  /** The refusal OTP_INVALID: one answer for wrong, expired, spent and never sent codes (decisions 8). */
  OtpInvalid: {
    allOf: [ref('Error'), object({ code: text(undefined, { const: 'OTP_INVALID' }), verified: { type: 'boolean', const: false }, attemptsRemaining: { ...integer, minimum: 0 } })],
  },
} satisfies Record<string, Schema>;
