import { MAX_SENDS_PER_PREFIX } from '@switchboard/contracts';
import { flag, integer, list, object, orNull, ref, type Schema, success, text } from '../openapi/schema';

const template = {
  ...object({ name: text(undefined, { minLength: 1, maxLength: 512 }), language: text() }),
  description: 'Approved, AUTHENTICATION or UTILITY; its body has the variables code and, where it has two, minutes',
};
const countries = {
  ...list(text(undefined, { pattern: '^[A-Z]{2}$' })),
  minItems: 1,
  maxItems: 250,
  description: 'ISO codes of the countries to which codes are sent',
};
const sendsPerPrefix = {
  ...integer,
  minimum: 1,
  maximum: MAX_SENDS_PER_PREFIX,
  description:
    'Most sends within an hour to numbers that differ in their last four digits only; numbers in sequence are what fraud sends to',
};

const figures = {
  ...{
    sent: integer,
    failed: integer,
    verified: integer,
    refused: { ...integer, description: 'Tries that were wrong, expired, spent or locked out' },
  },
  conversion: orNull({ type: 'number', description: 'Verified per sent' }),
};

/** The schemas of the console's bodies about one-time passwords. */
export const otpConsoleSchemas = {
  OtpSettings: object({
    success,
    settings: object({
      template: orNull(template),
      countries: { ...orNull(countries), description: 'Null for all' },
      sendsPerPrefix,
    }),
  }),
  OtpSettingsChange: object(
    {
      template,
      countries,
      allCountries: { ...flag, description: 'True: to every country again; `countries` must be absent' },
      sendsPerPrefix,
    },
    {
      optional: ['template', 'countries', 'allCountries', 'sendsPerPrefix'],
      example: { countries: ['IN'], sendsPerPrefix: 100 },
    },
  ),
  OtpFiguresOfDay: object({ day: text('In UTC', { format: 'date', example: '2026-03-02' }), ...figures }),
  OtpFigures: object({
    success,
    total: object(figures),
    days: { ...list(ref('OtpFiguresOfDay')), description: 'The newest first, without those on which nothing happened' },
  }),
} satisfies Record<string, Schema>;
