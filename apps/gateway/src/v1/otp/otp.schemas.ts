import { OTP_EXPIRY_MINUTES, sendCodeV1 } from '@switchboard/contracts';
import { integer, object, phone, ref, type Schema, success, text, time } from '../../openapi/schema';

const otp = text('4 to 10 letters or digits', { pattern: '^[A-Za-z0-9]{4,10}$' });
const { min: minimum, max: maximum, fallback } = OTP_EXPIRY_MINUTES;
const { response: sent } = sendCodeV1.sample;

export const otpSchemas = {
  SendOtpRequest: object(
    { to: phone, otp, expiryMinutes: { ...integer, minimum, maximum, description: `${fallback} when absent` } },
    { optional: ['expiryMinutes'], example: { to: '919812345678', otp: '482913', expiryMinutes: fallback } },
  ),
  SendOtpResponse: object(
    {
      ...{
        success,
        message_id: text("The upstream platform's identifier; the messageId of events"),
        status: text(undefined, { const: 'accepted' }),
        to: phone,
      },
      ...{
        expiresAt: time,
        creditsRemaining: { ...integer, description: 'Utility credits that are left' },
        id: text('Ours'),
      },
    },
    {
      example: {
        success: true,
        message_id: sent.upstreamId,
        status: 'accepted',
        to: '919812345678',
        expiresAt: sent.expiresAt,
        creditsRemaining: sent.creditsRemaining,
        id: sent.id,
      },
    },
  ),
  VerifyOtpRequest: object(
    { phone, otp: text('What the person typed') },
    { example: { phone: '919812345678', otp: '482913' } },
  ),
  VerifyOtpResponse: object(
    { success, verified: { type: 'boolean', const: true } },
    { example: { success: true, verified: true } },
  ),
  /** The refusal OTP_INVALID: one answer for wrong, expired, spent and never sent codes (spec §9.2.3). */
  OtpInvalid: {
    allOf: [
      ref('Error'),
      object({
        code: text(undefined, { const: 'OTP_INVALID' }),
        verified: { type: 'boolean', const: false },
        attemptsRemaining: { ...integer, minimum: 0 },
      }),
    ],
  },
} satisfies Record<string, Schema>;
