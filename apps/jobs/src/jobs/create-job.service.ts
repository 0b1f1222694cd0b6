import { Injectable } from '@nestjs/common';
import {
  CLIENT_REF_MAX_CHARACTERS,
  type CreatedJob,
  faultOfLabels,
  JOB_POSITIONS_MAX,
  type JobRowError,
  LABELS,
  type MediaReference,
  mediaReferences,
  NAMED_ROW_ERRORS_MAX,
  storableText,
} from '@switchboard/contracts';
import { query, type Transaction, Transactions } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { regionOf } from '../quiet/regions';
import {
  COUNT_RECIPIENTS,
  COUNT_REGIONS_OF_JOB,
  DESCRIBE_FILE,
  FIND_CREATED,
  FIND_REJECTED,
  INSERT_NUMBERS,
  INSERT_RECIPIENTS,
  NOTE_MEDIA,
  OPEN_LANE,
  RECIPIENTS,
} from './create-job.queries';
import { CreationLimiter } from './creation-limiter';
import { Job } from './job.entity';
import { type CheckedJob, JobCheck } from './job-check';
import type { NewJob } from './new-job';
import { prepareJob, type ReadRows, refuseLate } from './prepare-job';
import { RowTally, shownPhone } from './row-tally';
import { type JudgedRow, RowValidator } from './row-validator';

/**
 * Identifies a job to look up. `hold` must come from the request, where it is the same when the request is repeated;
 * the job itself may have been started since.
 */
type JobToFind = Pick<NewJob, 'accountId' | 'jobId' | 'hold'>;

/** Creates jobs together with all their recipients in one transaction. */
@Injectable()
export class CreateJobService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly jobCheck: JobCheck,
    private readonly places: CreationLimiter,
  ) {}

  /**
   * Creates a job from rows that are pulled in batches, and validates each row. If the job exists, returns the first
   * result without pulling any row.
   * @throws AppError with the error of a send; INVALID_VALUE or the rows' own code (422) when no row is valid; errors
   * of the rows
   */
  async createJob(job: NewJob, readRows: ReadRows): Promise<CreatedJob> {
    const created = await this.findCreated(job);
    if (created) return created;
    const leave = await this.places.enter(job.accountId);
    try {
      refuseLate(job);
      return await this.make(job, readRows);
    } finally {
      leave();
    }
  }

  /** Returns the result of an earlier creation. */
  findCreated(job: JobToFind): Promise<CreatedJob | undefined> {
    return findCreated(this.dataSource, job);
  }

  private async make(given: NewJob, readRows: ReadRows): Promise<CreatedJob> {
    const { job, checked } = await prepareJob(this.jobCheck, given);
    const judge = new RowValidator(this.jobCheck, job, checked);
    const created = await this.transactions.run(async (tx) => {
      if (!(await insertJob(tx, job, checked))) return findCreated(tx, job);
      await noteMedia(tx, job, mediaReferences(job.message));
      const tally = new RowTally();
      for await (const batch of readRows(checked)) {
        const rows = await judge.judge(batch);
        tally.add(rows);
        await insertRows(tx, job, rows);
        await noteMedia(
          tx,
          job,
          rows.flatMap(({ components }) => mediaReferences(components)),
        );
      }
      tally.requireAny(judge, job.type);
      await tx.query(COUNT_RECIPIENTS, [job.accountId, job.jobId, tally.accepted, tally.rejected, judge.duplicates]);
      if (job.quietHours) await tx.query(COUNT_REGIONS_OF_JOB, [job.accountId, job.jobId]);
      if (job.file) await describeFile(tx, job, job.file);
      await openLanes(tx, job.accountId, checked);
      // A file may be deleted while the rows are read, because its use is not committed yet.
      if (mediaReferences(job.message).length > 0) await this.jobCheck.check(job.accountId, job.message);
      refuseLate(job);
      // Read before the commit: a failure after the commit would look as if no job was created.
      return findCreated(tx, job);
    });
    if (!created) throw new Error('the created job was not found');
    return created;
  }
}

/** A row of `FIND_CREATED`. */
type CreatedRow = Pick<CreatedJob, 'total' | 'accepted' | 'rejected' | 'duplicates'> & {
  sheet: CreatedJob['sheet'] | null;
  warnings: CreatedJob['warnings'] | null;
};

async function findCreated(
  executor: DataSource | Transaction,
  { accountId, jobId, hold }: JobToFind,
): Promise<CreatedJob | undefined> {
  const [found] = await query<CreatedRow>(executor, FIND_CREATED, [accountId, jobId]);
  if (!found) return undefined;
  const { sheet, warnings, ...counts } = found;
  const errors = await query<JobRowError>(executor, FIND_REJECTED, [accountId, jobId, NAMED_ROW_ERRORS_MAX]);
  return {
    jobId,
    status: hold ? 'paused' : 'queued',
    ...counts,
    errors,
    ...(sheet && { sheet }),
    ...(warnings && { warnings }),
  };
}

/** Creates the lanes of the numbers that can send, in a fixed order to avoid deadlocks. */
export async function openLanes(
  executor: DataSource | Transaction,
  accountId: string,
  { phoneNumber, throughput, numbers = [{ phoneNumber, throughput }] }: CheckedJob,
): Promise<void> {
  const inOrder = [...numbers].sort((one, other) => (one.phoneNumber < other.phoneNumber ? -1 : 1));
  for (const number of inOrder) await query(executor, OPEN_LANE, [accountId, number.phoneNumber, number.throughput]);
}

/** @returns false if the job exists */
export async function insertJob(
  tx: Transaction,
  job: NewJob & { retryOf?: string },
  { phoneNumber, template, numbers }: CheckedJob,
): Promise<boolean> {
  const { accountId, jobId: id, name, type, message, scheduledAt, retryOf, expireAt, hold, maxSpend, quietHours } = job;
  const values = {
    accountId,
    id,
    name,
    type,
    template: template?.name,
    templateLanguage: template?.language,
    templateCategory: template?.category,
    message: { ...message, from: phoneNumber },
    phoneNumber: numbers ? null : phoneNumber,
    scheduledAt,
    retryOf,
    expireAt,
    maxSpend,
    quietHours,
    // Recipients with quiet hours are found by region. The previous version finds none, so it sends nothing.
    releasedTo: quietHours ? JOB_POSITIONS_MAX : 0,
    estimateAfter: () => 'now()',
    total: 0,
    ...(hold ? { status: 'paused', pauseReason: 'HELD', pausedAt: () => 'now()' } : { status: 'queued' }),
  };
  const { raw } = await tx.manager
    .createQueryBuilder()
    .insert()
    .into(Job)
    .values(values)
    .orIgnore()
    .returning('id')
    .updateEntity(false)
    .execute();
  if (raw.length === 0) return false;
  if (numbers) await tx.query(INSERT_NUMBERS, [accountId, id, numbers.map((number) => number.phoneNumber)]);
  return true;
}

/**
 * Values of the label columns. A rejected row may have invalid labels: a text is truncated, another value omitted.
 */
const STORED_LABELS = Object.fromEntries(
  LABELS.map((name) => [
    name,
    (row: JudgedRow) => {
      const value: unknown = row[name];
      if (!row.fault || !faultOfLabels({ [name]: value })) return value;
      return typeof value === 'string' ? storableText(value.slice(0, CLIENT_REF_MAX_CHARACTERS)) : null;
    },
  ]),
);

async function insertRows(
  tx: Transaction,
  { jobId, accountId, quietHours }: NewJob,
  rows: readonly JudgedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const lists = RECIPIENTS.parameters(rows, {
    phone: ({ phone, fault }) => (fault ? shownPhone(phone) : phone),
    ...STORED_LABELS,
    error: ({ fault }) => fault,
    region: ({ phone, fault }) => (quietHours && !fault ? regionOf(phone) : null),
  });
  await tx.queryPrepared(INSERT_RECIPIENTS, [jobId, accountId, ...lists]);
}

/** Records the uploaded files that the job uses, which are not deleted until it ends. */
async function noteMedia(
  tx: Transaction,
  { accountId, jobId }: NewJob,
  references: readonly MediaReference[],
): Promise<void> {
  const ids = [...new Set(references.map(({ id }) => id))];
  if (ids.length > 0) await tx.query(NOTE_MEDIA, [accountId, jobId, ids]);
}

async function describeFile(
  tx: Transaction,
  { accountId, jobId }: NewJob,
  { sheet, warnings }: NonNullable<NewJob['file']>,
): Promise<void> {
  const stored = warnings.length > 0 ? JSON.stringify(warnings) : null;
  await tx.query(DESCRIBE_FILE, [accountId, jobId, JSON.stringify(sheet), stored]);
}
