import { Controller, Injectable } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  ERRORS,
  JobsErasePersonCommand,
  type JobsErasePersonReply,
  jobsErasePersonV1,
  LABELS,
} from '@switchboard/contracts';
import { columnsOf, query, Transactions } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { Recipient } from '../jobs/recipient.entity';
import { finishJobs } from '../outcomes/finish-jobs';

/** Columns that may contain personal data, other than the number and the error. */
const PERSONAL = Object.values(columnsOf(Recipient, [...LABELS, 'components', 'upstreamId'])).map(({ name }) => name);

/** Counts the contact's rows that still contain personal data. $1 account, $2 formats of the number */
const COUNT_PERSON = 'SELECT count(*)::int AS count FROM recipients WHERE account_id = $1 AND phone = ANY ($2::text[])';

/** Locks the affected jobs first, in the common lock order. $1 account, $2 formats of the number, $3 maximum rows */
const LOCK_JOBS_OF_PERSON = `
  SELECT id FROM jobs WHERE account_id = $1
    AND id IN (SELECT DISTINCT job_id FROM (SELECT job_id FROM recipients WHERE account_id = $1
      AND phone = ANY ($2::text[]) LIMIT $3) AS found)
  ORDER BY id FOR UPDATE`;

/**
 * Erases the personal data but keeps the rows for the counts. Cancels recipients that have not been released. Returns
 * the number of rows.
 * $1 account, $2 formats of the number, $3 jobs
 */
const ERASE_PERSON = `
  WITH person AS (
    SELECT job_id, position, status AS was, is_waiting AS was_waiting, region FROM recipients WHERE account_id = $1 AND phone = ANY ($2::text[])
      AND job_id = ANY ($3::text[])
  ), erased AS (
    UPDATE recipients AS r
    SET phone = '', ${PERSONAL.map((column) => `${column} = NULL`).join(', ')},
      error = CASE WHEN person.was = 'rejected' THEN
        -- The message contains the number that may have been meant.
        CASE r.error->>'code' WHEN 'INVALID_PHONE' THEN jsonb_set(r.error, '{message}',
          to_jsonb('${ERRORS.INVALID_PHONE.message}'::text)) ELSE r.error END
      END,
      status = CASE WHEN person.was = 'pending' THEN 'cancelled' ELSE person.was END,
      is_lost = r.is_lost OR person.was = 'pending', is_returned = false, is_waiting = false, region = NULL
    FROM person WHERE r.job_id = person.job_id AND r.position = person.position
    RETURNING r.job_id, person.was, person.was_waiting, person.region
  ), counted AS (
    UPDATE jobs SET pending = pending - delta.count, cancelled = cancelled + delta.count
    FROM (SELECT job_id, count(*)::int AS count FROM erased WHERE was = 'pending' GROUP BY job_id) AS delta
    WHERE jobs.account_id = $1 AND jobs.id = delta.job_id
  ), counted_regions AS (
    UPDATE job_regions AS g SET pending = greatest(g.pending - delta.count, 0)
    FROM (SELECT job_id, region, count(*)::int AS count FROM erased WHERE was = 'pending' AND was_waiting
      GROUP BY job_id, region) AS delta
    WHERE g.account_id = $1 AND g.job_id = delta.job_id AND g.region = delta.region
  )
  SELECT count(*)::int AS count FROM erased`;

/** Rows per step. Their jobs are locked during the step. */
const STEP_ROWS = 500;

@Injectable()
export class EraseService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Erases the personal data in a bounded number of rows. A rejected recipient may have the number with a plus, so that
   * format is also covered.
   */
  async erase({ accountId, phones, dryRun }: JobsErasePersonCommand): Promise<JobsErasePersonReply> {
    const spellings = phones.flatMap((phone) => [phone, `+${phone}`]);
    const count = async (): Promise<number> =>
      (await query<{ count: number }>(this.dataSource, COUNT_PERSON, [accountId, spellings]))[0]?.count ?? 0;
    if (dryRun) return { recipients: await count(), done: true };
    const recipients = await this.transactions.run(async (tx) => {
      const jobs = await tx.query<{ id: string }>(LOCK_JOBS_OF_PERSON, [accountId, spellings, STEP_ROWS]);
      const jobIds = jobs.map(({ id }) => id);
      const [erased] = await tx.query<{ count: number }>(ERASE_PERSON, [accountId, spellings, jobIds]);
      await finishJobs(tx, jobIds);
      return erased?.count ?? 0;
    });
    return { recipients, done: (await count()) === 0 };
  }
}

@Controller()
export class EraseController {
  constructor(private readonly erasure: EraseService) {}

  @CommandHandler(jobsErasePersonV1)
  erasePerson(@Payload() command: JobsErasePersonCommand): Promise<JobsErasePersonReply> {
    return this.erasure.erase(command);
  }
}
