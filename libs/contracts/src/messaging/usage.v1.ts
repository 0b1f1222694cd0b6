import { ArrayMaxSize, IsArray, IsIn, IsInt, IsObject, IsOptional, IsString, Matches } from 'class-validator';
import { BodySchema, Doc, ListOf, Nested, OrNull } from '../body-docs';
import { command, SMALL_COMMAND_BYTES } from '../message-contract';
import { SpendCapRecord } from './spend-caps.v1';
import { PriceFigures } from './statistics.v1';

/** Groupings of the usage of a month. */
export const USAGE_GROUPINGS = ['category', 'market', 'template', 'job'] as const;
export type UsageGrouping = (typeof USAGE_GROUPINGS)[number];

/** Maximum groups of a reply; those with the most billable messages come first. */
export const MAX_USAGE_GROUPS = 500;
/** Matches months from 2000-01 to 2999-12. PostgreSQL has no year 0, and the month after 9999-12 has a 5-digit year. */
export const MONTH_PATTERN = /^2[0-9]{3}-(0[1-9]|1[0-2])$/;

const FIGURES = {
  delivered: 120,
  billable: 100,
  amount: '0.15',
  unrated: 0,
  pricing: [
    { category: 'utility', type: 'regular', billable: true, messages: 100 },
    { category: 'utility', type: 'free_customer_service', billable: false, messages: 20 },
  ],
};

/** Delivered messages for which the platform reported pricing, and their price by the rate card. */
@BodySchema({ name: 'UsageFigures', example: () => FIGURES })
export class UsageFigures {
  @Doc('Delivered messages with pricing') @IsInt() delivered: number;
  @Doc('Delivered messages that the platform charges for') @IsInt() billable: number;
  @Doc(
    'Price of the billable messages according to the rate card, in decimal notation; null if no rate is known for any of them',
  )
  @OrNull()
  @IsString()
  amount: string | null;
  @Doc('Billable messages without a rate, which `amount` does not include') @IsInt() unrated: number;
  @Doc('Delivered messages, grouped by the pricing that the platform reported')
  @ListOf(() => PriceFigures)
  pricing: PriceFigures[];
}

@BodySchema({ name: 'UsageGroup', example: () => ({ name: 'India', ...FIGURES }) })
export class UsageGroup extends UsageFigures {
  @Doc(
    'Category, market, template name or job ID, depending on the grouping; null for messages without such a value, or if the platform reported no category',
  )
  @OrNull()
  @IsString()
  name: string | null;
}

export class GetUsageCommand {
  @IsString() accountId: string;
  @IsString() @Matches(MONTH_PATTERN) month: string;
  @IsIn(USAGE_GROUPINGS) by: UsageGrouping;
}

export class GetUsageReply {
  @Doc('Currency of the rate card; null without a rate card') @OrNull() @IsString() currency: string | null;
  @Nested(() => UsageFigures) total: UsageFigures;
  @Doc('At most 500 groups, in descending order of billable messages')
  @ListOf(() => UsageGroup)
  groups: UsageGroup[];
  @Doc('Number of groups that are not listed') @IsInt() moreGroups: number;
  @Doc('Spend cap of the account, with the amounts of the current month; null if the account has no spend cap')
  @OrNull()
  @IsObject()
  @Nested(() => SpendCapRecord)
  spendCap?: SpendCapRecord | null;
}

export const getUsageV1 = command({
  name: 'messaging.get-usage.v1',
  owner: 'messaging',
  description:
    "Returns an account's delivered messages of a month by category, market, template or job, with their pricing and price.",
  request: GetUsageCommand,
  response: GetUsageReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', month: '2026-11', by: 'market' as const },
    response: {
      currency: 'USD',
      total: FIGURES,
      groups: [{ name: 'India', ...FIGURES }],
      moreGroups: 0,
      spendCap: null,
    },
  },
});

/** Maximum jobs of one `GetJobChargesCommand`. */
export const CHARGED_JOBS_MAX = 1_000;

export class GetJobChargesCommand {
  @IsString() accountId: string;
  @IsArray() @ArrayMaxSize(CHARGED_JOBS_MAX) @IsString({ each: true }) jobIds: string[];
  /** Adds the total of all jobs that were created in this month (UTC). */
  @IsOptional() @IsString() @Matches(MONTH_PATTERN) month?: string;
}

/** Delivered messages of jobs for which the platform reported pricing, and their price. */
export class ReportedCharges {
  @IsInt() delivered: number;
  @IsInt() billable: number;
  @OrNull() @IsString() amount: string | null;
  @IsInt() unrated: number;
}

export class ChargesOfJob extends ReportedCharges {
  @IsString() jobId: string;
}

export class GetJobChargesReply {
  /** Currency of the rate card; null without a rate card. */
  @OrNull() @IsString() currency: string | null;
  /** Those of the given jobs of which the platform has reported a message. */
  @ListOf(() => ChargesOfJob) jobs: ChargesOfJob[];
  /** Total of the jobs of the month; null without a month. */
  @OrNull() @IsObject() @Nested(() => ReportedCharges) total: ReportedCharges | null;
}

const CHARGES = { delivered: 1, billable: 1, amount: '0.0014', unrated: 0 };

export const getJobChargesV1 = command({
  name: 'messaging.get-job-charges.v1',
  owner: 'messaging',
  description: 'Returns the charges that the platform has reported for bulk jobs.',
  request: GetJobChargesCommand,
  response: GetJobChargesReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      jobIds: ['job_01jd0000000000000000000000'],
      month: '2026-11',
    },
    response: {
      currency: 'USD',
      jobs: [{ jobId: 'job_01jd0000000000000000000000', ...CHARGES }],
      total: CHARGES,
    },
  },
});
