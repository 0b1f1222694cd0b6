import { Injectable } from '@nestjs/common';
import {
  type JobRecord,
  type ListRecipientsCommand,
  type ListRecipientsReply,
  type MessageError,
  type RecipientRecord,
  type RecipientRefusal,
} from '@switchboard/contracts';
import { lookQuery, placeOf, seenPageOf, type SeenRow } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { listRecipientsSql } from '../jobs/jobs.queries';
import { JobsService } from '../jobs/jobs.service';
import { shownStatus, statesShownAs } from './recipient-states';

const POSITION = /^[0-9]{1,8}$/;
/** Their rows have an index of their own. */
const LOST: readonly string[] = ['failed', 'rejected', 'cancelled'];
const TIMES = ['acceptedAt', 'sentAt', 'deliveredAt', 'readAt', 'failedAt'] as const;

type RecipientRow = Omit<RecipientRecord, 'status' | 'error' | 'refusal' | (typeof TIMES)[number]> &
  Record<(typeof TIMES)[number], Date | null> & { status: string; error: MessageError | RecipientRefusal | null };

@Injectable()
export class RecipientsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
  ) {}

  /**
   * One page of a job's recipients, in the order in which they were given; the totals are the job's own counts.
   * @throws AppError NOT_FOUND, INVALID_PARAMETER for a cursor that is not ours, INVALID_VALUE for a page number that
   * is too deep
   */
  async listRecipients(command: ListRecipientsCommand): Promise<ListRecipientsReply> {
    const { accountId, jobId, status } = command;
    const job = await this.jobs.getJob(accountId, jobId);
    const { after, offset, take } = placeOf(command, POSITION);
    const total = totalOf(job, status);
    if (after === null && offset >= total)
      return { recipients: [], total, totalIsExact: true, hasNext: false, nextCursor: null };
    const sql = listRecipientsSql(status !== undefined && LOST.includes(status), { offset, take });
    const params = [accountId, jobId, after === null ? -1 : Number(after), status ? statesShownAs(status) : null];
    const seen = await lookQuery<RecipientRow & SeenRow>(this.dataSource, sql, params);
    const { rows, ...next } = seenPageOf(seen, command, ({ index }) => String(index));
    return { recipients: rows.map(toRecord), total, totalIsExact: true, ...next };
  }
}

/** Duplicates were collapsed: they are no recipients of their own. */
function totalOf(job: JobRecord, status: ListRecipientsCommand['status']): number {
  return status === undefined ? job.total - (job.duplicates ?? 0) : (job[status] ?? 0);
}

function toRecord({ status, error, cutOffAt: _none, ...row }: RecipientRow & SeenRow): RecipientRecord {
  const times = Object.fromEntries(TIMES.map((name) => [name, row[name]?.toISOString() ?? null])) as Pick<
    RecipientRecord,
    (typeof TIMES)[number]
  >;
  const isRefused = status === 'rejected';
  return {
    ...row,
    ...times,
    status: shownStatus(status),
    error: isRefused ? null : (error as MessageError | null),
    refusal: isRefused ? (error as RecipientRefusal) : null,
  };
}
