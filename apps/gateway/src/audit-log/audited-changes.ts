import { Inject, Injectable } from '@nestjs/common';
import { AppError, type CommandContract, type ErrorCode, parseBody } from '@switchboard/contracts';
import { isOutcomeUnknown } from '@switchboard/database';
import { LOGGER } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { toAppError } from '../http/framework-errors';
import { type AuditEntry, recordIntent, recordOutcome, wasDoneSince } from './audit-log';

/** Who asks services: a broker, or the operator. */
export interface RpcClient {
  request<Request extends object, Response extends object>(
    command: CommandContract<Request, Response>,
    request: Request,
  ): Promise<Response>;
}

/** The service's logger, or the operator's terminal. */
export interface LostOutcomes {
  error(lost: { err: unknown; entryId: string }, message: string): void;
}

/** A change of something that belongs to an account. */
export type AccountEntry = AuditEntry & {
  accountId: string;
  /** For changes that come every few seconds: one that was done stands for all of so many milliseconds after it. */
  standsForMs?: number;
};

/** With these a change may have been made all the same. */
const TELLS_NOTHING: ReadonlySet<ErrorCode> = new Set(['OUTCOME_UNKNOWN', 'UPSTREAM_TIMEOUT', 'INTERNAL']);

/** Whether an error says that the change was not made. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && !TELLS_NOTHING.has(error.code);
}

/** It says that nothing was done, which is true of one step alone. */
function isUnavailable(error: unknown): boolean {
  return toAppError(error).code === 'UNAVAILABLE';
}

/**
 * Changes that are not made in a transaction of the gateway's own. The audit log has an entry before anything happens,
 * and the outcome afterwards: nothing happens without an entry, and nothing that was refused looks done.
 */
@Injectable()
export class AuditedChanges {
  /** @param logger reports an outcome that could not be written; its entry stays `unknown` */
  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: LostOutcomes,
  ) {}

  /**
   * Notes a change, makes it and notes its outcome.
   * @param work makes the change; one of several steps calls `begun` when some of it is done, as a refusal is then none
   * of the whole
   * @returns what the work returns, though its outcome could not be noted
   * @throws AppError UNAVAILABLE when the change could not be noted and was not made; OUTCOME_UNKNOWN when a service
   * was away after some of it was done; what the work throws
   */
  async make<T>(entry: AuditEntry, work: (begun: () => void) => Promise<T>): Promise<T> {
    const entryId = await recordIntent(this.dataSource, entry).catch((error: unknown) => {
      throw isOutcomeUnknown(error) ? new AppError('UNAVAILABLE', { cause: error }) : error;
    });
    let isBegun = false;
    try {
      const result = await work(() => (isBegun = true));
      await this.note(entryId);
      return result;
    } catch (error) {
      if (isBegun) throw isUnavailable(error) ? new AppError('OUTCOME_UNKNOWN', { cause: error }) : error;
      if (isRefusal(error)) await this.note(entryId, error.code);
      throw error;
    }
  }

  /**
   * Asks another service for a change of an account's things, which is noted.
   * @throws AppError as the service refuses it
   */
  async request<Request extends { accountId: string }, Response extends object>(
    rpc: RpcClient,
    entry: AccountEntry,
    command: CommandContract<Request, Response>,
    request: Omit<Request, 'accountId'>,
  ): Promise<Response> {
    const asked = parseBody(command.request, { ...request, accountId: entry.accountId });
    const { standsForMs, ...noted } = entry;
    const since = standsForMs === undefined ? undefined : new Date(Date.now() - standsForMs);
    if (since && (await wasDoneSince(this.dataSource, noted, since))) return rpc.request(command, asked);
    return this.make(noted, () => rpc.request(command, asked));
  }

  /** Never rejects, and keeps nobody waiting for long: the change is made or not, whatever becomes of this. */
  private async note(entryId: string, errorCode?: ErrorCode): Promise<void> {
    try {
      await withinDatabaseDeadline(recordOutcome(this.dataSource, entryId, errorCode));
    } catch (error) {
      this.logger.error({ err: error, entryId }, 'audit.outcome-write-failed');
    }
  }
}
