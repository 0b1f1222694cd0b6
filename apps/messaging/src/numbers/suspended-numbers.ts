import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  ERRORS,
  notFound,
  numberStoppedV1,
  type ResumeNumberCommand,
  type ResumeNumberReply,
} from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { LOGGER, type Logger } from '@switchboard/platform';
import { UpstreamError } from '@switchboard/upstream';
import { DataSource } from 'typeorm';

/**
 * Stops a number, unless its credentials were replaced meanwhile.
 * $1 number, $2 rejected token (encrypted), $3 reason
 */
const SUSPEND_NUMBER = `
  UPDATE numbers SET stopped_at = now(), stopped_reason = $3
  WHERE id = $1 AND sealed_access_token = $2 AND stopped_at IS NULL
  RETURNING account_id AS "accountId", phone_number AS "phoneNumber", stopped_at AS "stoppedAt"`;

interface SuspendedNumber {
  accountId: string;
  phoneNumber: string;
  stoppedAt: Date;
}

/** $1 account, $2 number */
const FIND_SUSPENSION = `SELECT stopped_reason AS reason FROM numbers WHERE account_id = $1 AND id = $2 AND stopped_at IS NOT NULL`;

/** $1 account, $2 phone number */
const RESUME_NUMBER = `
  UPDATE numbers SET stopped_at = NULL, stopped_reason = NULL
  WHERE account_id = $1 AND phone_number = $2 AND removed_at IS NULL
  RETURNING id, phone_number AS "phoneNumber", status`;

/**
 * Stops a number if upstream would reject all of its sends because of its credentials, registration or standing. Every
 * replica then rejects its sends, because it reads the number's row, until new credentials arrive or an operator
 * resumes the number.
 */
@Injectable()
export class SuspendedNumbers {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Stops the number if the outcome of a call requires it. Stores the event in the same transaction. */
  async suspendIfRejected(number: { id: string; sealedAccessToken: string }, outcome: unknown): Promise<void> {
    if (!(outcome instanceof UpstreamError) || !outcome.stopsNumber) return;
    const { code, title } = outcome;
    const reason = code === undefined ? title : `${code} ${title}`;
    const stopped = await this.transactions.run(async (tx) => {
      const [row] = await tx.query<SuspendedNumber>(SUSPEND_NUMBER, [number.id, number.sealedAccessToken, reason]);
      if (row)
        tx.publish(numberStoppedV1, {
          accountId: row.accountId,
          numberId: number.id,
          phoneNumber: row.phoneNumber,
          reason,
          timestamp: row.stoppedAt.toISOString(),
        });
      return row;
    });
    if (stopped)
      this.logger.error({ accountId: stopped.accountId, numberId: number.id, code, reason: title }, 'number.stopped');
  }

  /** @throws AppError NUMBER_STOPPED while the number is stopped */
  async rejectIfSuspended(accountId: string, { id }: { id: string }): Promise<void> {
    const [stop] = await query<{ reason: string | null }>(this.dataSource, FIND_SUSPENSION, [accountId, id]);
    if (stop) throw numberSuspended(stop.reason);
  }

  /** @throws AppError NOT_FOUND if the account has no such number */
  async resumeNumber({ accountId, phoneNumber }: ResumeNumberCommand): Promise<ResumeNumberReply> {
    const [resumed] = await query<ResumeNumberReply>(this.dataSource, RESUME_NUMBER, [accountId, phoneNumber]);
    if (!resumed) throw notFound('number');
    this.logger.info({ accountId, numberId: resumed.id }, 'number.resumed');
    return resumed;
  }
}

/**
 * Returns the error for a send from a stopped number.
 * @param reason upstream code and title
 */
export function numberSuspended(reason: string | null): AppError {
  return new AppError('NUMBER_STOPPED', {
    message: `${ERRORS.NUMBER_STOPPED.message}: ${reason ?? 'its sends were rejected'}`,
  });
}
