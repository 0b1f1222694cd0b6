import {
  Answer,
  BodySchema,
  Doc,
  EstimateSum,
  JobRecord,
  listJobsV1,
  ListOf,
  MONTH_PATTERN,
  Nested,
  OrNull,
  sumEstimatesV1,
} from '@switchboard/contracts';
import { IsInt, IsObject, IsOptional, IsString } from 'class-validator';
import { PageQuery } from '../pagination/page-query';
import { Pagination, paginationOf } from '../pagination/pagination';
import { IsLike } from '../pagination/query-rules';

const MONTH = '2026-11';
const REPORTED = { messages: 3, billable: 3, amount: '0.0042', unrated: 0 };

export class JobPricesQuery extends PageQuery {
  @IsOptional() @IsLike(MONTH_PATTERN, 'a month such as 2026-11') month = new Date().toISOString().slice(0, 7);
}

/** Reported charges for the jobs of a month. */
@BodySchema({ name: 'ReportedSum', example: () => REPORTED })
export class ReportedSum {
  @Doc('Delivered messages for which the platform has reported the pricing') @IsInt() messages: number;
  @Doc('Number of delivered messages that the platform charges for') @IsInt() billable: number;
  @Doc(
    'Price of the billable messages according to the rate card, in decimal notation; null if no rate is known for any of them',
  )
  @OrNull()
  @IsString()
  amount: string | null;
  @Doc('Billable messages without a rate, which `amount` does not include') @IsInt() unrated: number;
}

/** Page of the jobs of a month, with the sums of all jobs of the month. */
@Answer({
  example: () => {
    const { response } = listJobsV1.sample;
    return {
      success: true,
      month: MONTH,
      currency: 'USD',
      estimated: sumEstimatesV1.sample.response,
      reported: REPORTED,
      jobs: response.jobs,
      pagination: paginationOf({ page: 1, limit: 20 }, response),
    };
  },
})
export class JobPrices {
  @Doc('Month (UTC) in which the jobs were created', { example: MONTH }) @IsString() month: string;
  @Doc('Currency of the rate card; null without a rate card') @OrNull() @IsString() currency: string | null;
  @Doc('Sum of the estimates of all jobs of the month; null without a rate card')
  @OrNull()
  @IsObject()
  @Nested(() => EstimateSum)
  estimated: EstimateSum | null;
  @Doc('Charges reported by the platform for all jobs of the month') @Nested(() => ReportedSum) reported: ReportedSum;
  @ListOf(() => JobRecord) jobs: JobRecord[];
  @Nested(() => Pagination) pagination: Pagination;
}
