import {
  ArrayMaxSize,
  ArrayMinSize,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
} from 'class-validator';
import { BodySchema, Doc, ListOf } from '../body-docs';
import { command, ROWS_COMMAND_BYTES, SMALL_COMMAND_BYTES } from '../message-contract';
import { IsStorableText } from '../validation';

/** Pricing categories of the upstream platform for which a rate card has rates. */
export const RATE_CATEGORIES = [
  'marketing',
  'marketing_lite',
  'utility',
  'authentication',
  'authentication-international',
  'service',
] as const;
export type RateCategory = (typeof RATE_CATEGORIES)[number];

/** Maximum rates of one import. */
export const MAX_IMPORTED_RATES = 3_000;

/** Amount of money in decimal notation. */
export const AMOUNT_PATTERN = /^(0|[1-9][0-9]{0,8})(\.[0-9]{1,8})?$/;
export const CURRENCY_PATTERN = /^[A-Z]{3}$/;
/** Matches years from 2000 on. PostgreSQL has no year 0. */
const DAY = /^2[0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/;

/** Checks for a day of the calendar, such as `2026-10-01`. */
export function isDay(text: string): boolean {
  // Dates such as 30 February become one of March.
  return DAY.test(text) && new Date(text).toISOString().startsWith(text);
}

const EXAMPLE = {
  market: 'India',
  category: 'utility' as const,
  currency: 'USD',
  amount: '0.0014',
  validFrom: '2026-10-01',
  source: 'rate card of 2026-10-01',
};

/** Rate of the rate card: the price of one delivered message. */
@BodySchema({ name: 'Rate', example: () => EXAMPLE })
export class RateRecord {
  @Doc('Market of the upstream platform: a country, or a region such as `Rest of Africa`')
  @IsString()
  @MaxLength(100)
  market: string;
  @Doc('Pricing category of the upstream platform') @IsIn(RATE_CATEGORIES) category: RateCategory;
  @Doc('ISO 4217') @IsString() @Matches(CURRENCY_PATTERN) currency: string;
  @Doc('Price of one message in decimal notation') @IsString() @Matches(AMOUNT_PATTERN) amount: string;
  @Doc('First day of the rate, in UTC', { format: 'date' }) @IsString() @Matches(DAY) validFrom: string;
  @Doc('Origin of the rate, as the operator noted it') @IsString() @IsStorableText() @MaxLength(200) source: string;
}

export class ListRatesCommand {
  /** Day on which the rates are in force; all rates when absent. */
  @IsOptional() @IsString() @Matches(DAY) on?: string;
}

export class ListRatesReply {
  /** By market, category and first day. */
  @ListOf(() => RateRecord) rates: RateRecord[];
  /** Number of rates of the card, of all days. */
  @IsInt() total: number;
}

export const listRatesV1 = command({
  name: 'messaging.list-rates.v1',
  owner: 'messaging',
  callers: ['gateway', 'jobs'],
  description: "Returns the installation's rate card: all rates, or those in force on a day.",
  request: ListRatesCommand,
  response: ListRatesReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: { request: { on: '2026-11-28' }, response: { rates: [EXAMPLE], total: 1 } },
});

export class ImportRatesCommand {
  @ListOf(() => RateRecord) @ArrayMinSize(1) @ArrayMaxSize(MAX_IMPORTED_RATES) rates: RateRecord[];
  /** True to delete the rates that are not among these. */
  @IsBoolean() replace: boolean;
}

export class ImportRatesReply {
  @IsInt() added: number;
  @IsInt() changed: number;
  @IsInt() removed: number;
  /** Number of rates of the card afterwards. */
  @IsInt() total: number;
}

export const importRatesV1 = command({
  name: 'messaging.import-rates.v1',
  owner: 'messaging',
  description:
    "Adds rates to the installation's rate card and changes those of the same market, category and day, or replaces the card. All or none; a repeat changes nothing.",
  request: ImportRatesCommand,
  response: ImportRatesReply,
  changes: true,
  timeoutMs: 10_000,
  maxBytes: ROWS_COMMAND_BYTES,
  prefetch: 1,
  sample: {
    request: { rates: [EXAMPLE], replace: false },
    response: { added: 1, changed: 0, removed: 0, total: 1 },
  },
});
