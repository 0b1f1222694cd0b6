import type { UsageGrouping } from '@switchboard/contracts';
import { batchOf, columnsOf } from '@switchboard/database';
import { UsageDay } from './usage-day.entity';

/** Key columns in the order of the primary key. */
const KEY = 'account_id, day, category, type, billable, country, template, job_id';

export const USAGE = batchOf(
  columnsOf(UsageDay, [
    'accountId',
    'day',
    'category',
    'type',
    'billable',
    'country',
    'template',
    'jobId',
    'delivered',
  ]),
);

/** Adds to the counts, in the order of the key, so that concurrent transactions do not deadlock. `USAGE` */
export const ADD_USAGE = `
  INSERT INTO usage_days AS known (${USAGE.names})
  SELECT ${USAGE.names} FROM ${USAGE.unnest('added')} ORDER BY ${KEY}
  ON CONFLICT (${KEY}) DO UPDATE SET delivered = known.delivered + EXCLUDED.delivered`;

/** SQL: value of each grouping that the database knows. The market is derived from the country. */
const NAMES: Record<UsageGrouping, string> = {
  category: 'category',
  market: "''",
  template: 'template',
  job: 'job_id',
};

export interface UsageRow {
  day: string;
  category: string;
  type: string;
  billable: string;
  country: string;
  /** Empty for the grouping by market. */
  name: string;
  delivered: number;
}

/** Sums the counts of an account. $1 account, $2 first day, $3 first day after them */
export const sumUsageSql = (by: UsageGrouping): string => `
  SELECT to_char(day, 'YYYY-MM-DD') AS day, category, type, billable, country, ${NAMES[by]} AS name,
    sum(delivered)::float8 AS delivered
  FROM usage_days WHERE account_id = $1 AND day >= $2::date AND day < $3::date
  GROUP BY 1, 2, 3, 4, 5, 6`;

const OF_JOBS = `
  SELECT to_char(day, 'YYYY-MM-DD') AS day, category, type, billable, country, job_id AS name,
    sum(delivered)::float8 AS delivered
  FROM usage_days WHERE account_id = $1 AND job_id <> ''`;

/** Sums the counts of jobs. $1 account, $2 jobs */
export const SUM_USAGE_OF_JOBS = `${OF_JOBS} AND job_id = ANY ($2::text[]) GROUP BY 1, 2, 3, 4, 5, 6`;

/**
 * Sums the counts of all jobs in a range of ids, without template names. $1 account, $2 first id, $3 first id after the
 * range
 */
export const SUM_USAGE_OF_JOB_RANGE = `
  SELECT day, category, type, billable, country, '' AS name, sum(delivered)::float8 AS delivered
  FROM (${OF_JOBS} AND job_id >= $2 AND job_id < $3 GROUP BY 1, 2, 3, 4, 5, 6) AS each
  GROUP BY 1, 2, 3, 4, 5`;

/** Deletes expired counts. $1 days that are retained, $2 maximum rows */
export const DELETE_EXPIRED_USAGE = `
  DELETE FROM usage_days WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM usage_days WHERE day < current_date - $1::int ORDER BY day LIMIT $2
  )) RETURNING 1 AS deleted`;
