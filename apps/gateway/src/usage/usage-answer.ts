import {
  Answer,
  Doc,
  GetUsageReply,
  getUsageV1,
  MONTH_PATTERN,
  USAGE_GROUPINGS,
  type UsageGrouping,
} from '@switchboard/contracts';
import type { MessagingClient } from '@switchboard/service-clients';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { ApiFilter, type Success } from '../openapi/decorators';
import { IsLike, IsOneOf } from '../pagination/query-rules';

const { request, response } = getUsageV1.sample;

/** Usage of a month (spec §3.14.4). */
@Answer({
  name: 'Usage',
  example: () => ({ success: true, month: request.month, by: request.by, ...response }),
})
export class UsageAnswer extends GetUsageReply {
  @Doc('Month in UTC', { example: '2026-11' }) @IsString() month: string;
  @IsIn(USAGE_GROUPINGS) by: UsageGrouping;
}

export class UsageQuery {
  @IsOptional() @IsLike(MONTH_PATTERN, 'a month such as 2026-11') month?: string;
  @IsOptional() @IsOneOf(USAGE_GROUPINGS) by: UsageGrouping = 'category';
}

/** Describes the parameters of `UsageQuery`. */
export function ApiUsageFilters(): MethodDecorator {
  return (...method) => {
    ApiFilter(
      'month',
      { type: 'string', pattern: MONTH_PATTERN.source },
      'Month in UTC; defaults to the current month',
    )(...method);
    ApiFilter('by', { type: 'string', enum: USAGE_GROUPINGS, default: 'category' }, 'Grouping')(...method);
  };
}

export const USAGE_SUMMARY = 'Retrieve the usage of a month: delivered messages, pricing and amounts';
export const USAGE_NOTE =
  'A delivered message is counted once the platform reports its pricing, in the month in which the message was created. Amounts are computed from the rate card of the installation. Deleted messages remain counted. Months are available for 400 days.';

export async function usageOf(
  messaging: MessagingClient,
  accountId: string,
  { month = new Date().toISOString().slice(0, 7), by }: UsageQuery,
): Promise<Success<UsageAnswer>> {
  return { success: true, month, by, ...(await messaging.getUsage({ accountId, month, by })) };
}
