import { Injectable } from '@nestjs/common';
import {
  type JobRecord,
  type ListRecipientsCommand,
  type ListRecipientsReply,
  type MessageError,
  type RecipientRecord,
  type RecipientRefusal,
  type TemplateComponent,
} from '@switchboard/contracts';
import { scanQuery, boundedCount, placeOf, seenPageOf, type SeenRow } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { listRecipientsSql, RECIPIENTS_OF_PHONE } from '../jobs/jobs.queries';
import { JobsService } from '../jobs/jobs.service';
import { rowValues } from './row-values';
import { shownStatus, statesShownAs } from './recipient-states';

/** Maximum number of recipients to count for one number. */
const COUNT_LIMIT = 1_000;
const POSITION = /^[0-9]{1,8}$/;
/** States that have their own index. */
const LOST: readonly string[] = ['failed', 'rejected', 'cancelled'];
const TIMES = ['acceptedAt', 'sentAt', 'deliveredAt', 'readAt', 'failedAt'] as const;

type RecipientRow = Omit<RecipientRecord, 'status' | 'error' | 'refusal' | 'from' | (typeof TIMES)[number]> &
  Record<(typeof TIMES)[number], Date | null> & {
    status: string;
    error: MessageError | RecipientRefusal | null;
    businessNumber: string | null;
    /** Only with `withValues`. */
    components?: TemplateComponent[] | null;
  };

@Injectable()
export class RecipientsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Returns one page of a job's recipients in input order. The total is one of the job's counts, except for a single
   * number.
   * @throws AppError NOT_FOUND, INVALID_PARAMETER for an invalid cursor, INVALID_VALUE for a page number that is too
   * high
   */
  async listRecipients(command: ListRecipientsCommand): Promise<ListRecipientsReply> {
    const { accountId, jobId, status, phone, withValues = false } = command;
    const job = await this.jobs.getJob(accountId, jobId);
    const { after, offset, take } = placeOf(command, POSITION);
    const states = status ? statesShownAs(status) : null;
    const ofPhone = phone === undefined ? [] : [[phone, `+${phone}`]];
    const total =
      phone === undefined
        ? { total: totalOf(job, status), totalIsExact: true }
        : await this.countOfPhone([accountId, jobId, -1, states, ...ofPhone]);
    if (total.totalIsExact && after === null && offset >= total.total)
      return { recipients: [], ...total, hasNext: false, nextCursor: null };
    const isLost = status !== undefined && LOST.includes(status);
    const sql = listRecipientsSql({ isLost, isOfPhone: phone !== undefined, withValues }, { offset, take });
    const params = [accountId, jobId, after === null ? -1 : Number(after), states, ...ofPhone];
    const seen = await scanQuery<RecipientRow & SeenRow>(this.dataSource, sql, params);
    const { rows, ...next } = seenPageOf(seen, command, ({ index }) => String(index));
    return { recipients: rows.map((row) => toRecord(row, job)), ...total, ...next };
  }

  /** Counts the rows of a number. A job contains a number only once, apart from rejected rows. */
  private async countOfPhone(params: unknown[]): Promise<Pick<ListRecipientsReply, 'total' | 'totalIsExact'>> {
    const sql = boundedCount(RECIPIENTS_OF_PHONE, COUNT_LIMIT);
    const [counted] = await scanQuery<{ total: number; isCutOff: boolean }>(this.dataSource, sql, params);
    const { total = 0, isCutOff = false } = counted ?? {};
    return { total: Math.min(total, COUNT_LIMIT), totalIsExact: !isCutOff && total <= COUNT_LIMIT };
  }
}

/** Excludes duplicates, which are not stored as recipients. */
function totalOf(job: JobRecord, status: ListRecipientsCommand['status']): number {
  return status === undefined ? job.total - (job.duplicates ?? 0) : (job[status] ?? 0);
}

/** States of recipients that have not been sent to. */
const NOT_SENT: readonly string[] = ['pending', 'cancelled', 'rejected'];

function toRecord(
  { status, error, businessNumber, components, cutOffAt: _none, ...row }: RecipientRow & SeenRow,
  { from, numbers = [] }: JobRecord,
): RecipientRecord {
  const times = Object.fromEntries(TIMES.map((name) => [name, row[name]?.toISOString() ?? null])) as Pick<
    RecipientRecord,
    (typeof TIMES)[number]
  >;
  const isRefused = status === 'rejected';
  return {
    ...row,
    ...times,
    ...(components !== undefined && { values: rowValues(components) }),
    status: shownStatus(status),
    // Attributes a recipient that failed before any release to the first number.
    from: NOT_SENT.includes(status) ? null : (businessNumber ?? from ?? numbers[0]?.phoneNumber ?? null),
    error: isRefused ? null : (error as MessageError | null),
    refusal: isRefused ? (error as RecipientRefusal) : null,
  };
}
