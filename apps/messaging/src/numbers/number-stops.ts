import { Inject, Injectable } from '@nestjs/common';
import { AppError, type ResumeNumberCommand, type ResumeNumberReply } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { LOGGER, type Logger } from '@switchboard/platform';
import { UpstreamError } from '@switchboard/upstream';
import { DataSource } from 'typeorm';

/** Unless the credentials were renewed meanwhile. $1 number, $2 the sealed token that was refused, $3 reason */
const STOP_NUMBER = `
  UPDATE numbers SET stopped_at = now(), stopped_reason = $3
  WHERE id = $1 AND sealed_access_token = $2 AND stopped_at IS NULL
  RETURNING account_id AS "accountId"`;

/** $1 account, $2 phone number */
const RESUME_NUMBER = `
  UPDATE numbers SET stopped_at = NULL, stopped_reason = NULL
  WHERE account_id = $1 AND phone_number = $2 AND removed_at IS NULL
  RETURNING id, phone_number AS "phoneNumber", status`;

/**
 * Stops a number whose every send upstream would refuse: its credentials, its registration or its standing is at fault. Its sends
 * are then refused by the row of the number, on every replica at once, until new credentials are given or an operator resumes it.
 */
@Injectable()
export class NumberStops {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Stops the number when this outcome of a call says so. */
  async stopIfRefused(number: { id: string; sealedAccessToken: string }, outcome: unknown): Promise<void> {
    if (!(outcome instanceof UpstreamError) || !outcome.stopsNumber) return;
    const { code, title } = outcome;
    const reason = code === undefined ? title : `${code} ${title}`;
    const [stopped] = await query<{ accountId: string }>(this.dataSource, STOP_NUMBER, [number.id, number.sealedAccessToken, reason]);
    if (stopped) this.logger.error({ accountId: stopped.accountId, numberId: number.id, code, reason: title }, 'number.stopped');
  }

  /** @throws AppError NOT_FOUND when the account has no such number */
  async resumeNumber({ accountId, phoneNumber }: ResumeNumberCommand): Promise<ResumeNumberReply> {
    const [resumed] = await query<ResumeNumberReply>(this.dataSource, RESUME_NUMBER, [accountId, phoneNumber]);
    if (!resumed) throw new AppError('NOT_FOUND');
    this.logger.info({ accountId, numberId: resumed.id }, 'number.resumed');
    return resumed;
  }
}
