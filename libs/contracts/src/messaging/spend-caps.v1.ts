import { IsObject, IsOptional, IsString, Matches } from 'class-validator';
import { BodySchema, Doc, Nested, OrNull } from '../body-docs';
import { command, SMALL_COMMAND_BYTES } from '../message-contract';
import { AMOUNT_PATTERN, CURRENCY_PATTERN } from './rates.v1';

const LIMIT = { amount: '500.00', currency: 'USD' };

/** Maximum price of the messages of an account in a month, or of a job. */
@BodySchema({ name: 'SpendLimit', example: () => LIMIT })
export class SpendLimit {
  @Doc('Amount in decimal notation, with at most 8 decimals')
  @IsString()
  @Matches(AMOUNT_PATTERN, { message: '$property must be an amount such as "500.00", with at most 8 decimals' })
  amount: string;
  @Doc('Currency of the rate card, ISO 4217') @IsString() @Matches(CURRENCY_PATTERN) currency: string;
}

const CAP = { ...LIMIT, month: '2026-11', spent: '412.3350', reserved: '1.2060' };

/** Spend cap of an account, with the amounts that count towards it in a month (spec §3.15). */
@BodySchema({ name: 'SpendCap', example: () => CAP })
export class SpendCapRecord extends SpendLimit {
  @Doc('Month in UTC', { example: '2026-11' }) @IsString() month: string;
  @Doc('Price of charged messages, in decimal notation') @IsString() spent: string;
  @Doc('Highest possible price of sent messages whose pricing the platform has not reported yet')
  @IsString()
  reserved: string;
}

export class GetSpendCapCommand {
  @IsString() accountId: string;
}

export class SpendCapReply {
  /** Null if the account has no cap. */
  @OrNull() @IsObject() @Nested(() => SpendCapRecord) spendCap: SpendCapRecord | null;
}

const accountId = 'acc_01jd0000000000000000000000';

export const getSpendCapV1 = command({
  name: 'messaging.get-spend-cap.v1',
  owner: 'messaging',
  description: "Returns an account's spend cap with the amounts spent and reserved in the current month.",
  request: GetSpendCapCommand,
  response: SpendCapReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: { request: { accountId }, response: { spendCap: CAP } },
});

export class SetSpendCapCommand {
  @IsString() accountId: string;
  /** Maximum per calendar month (UTC); null removes the cap. */
  @IsOptional() @IsObject() @Nested(() => SpendLimit) cap: SpendLimit | null;
}

export const setSpendCapV1 = command({
  name: 'messaging.set-spend-cap.v1',
  owner: 'messaging',
  description: "Sets, changes or removes an account's spend cap. Idempotent.",
  request: SetSpendCapCommand,
  response: SpendCapReply,
  changes: true,
  timeoutMs: 10_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: { request: { accountId, cap: LIMIT }, response: { spendCap: CAP } },
});
