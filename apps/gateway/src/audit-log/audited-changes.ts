import { Inject, Injectable } from '@nestjs/common';
import { AppError, type BodyClass, type ErrorCode, parseBody } from '@switchboard/contracts';
import { isOutcomeUnknown } from '@switchboard/database';
import { LOGGER } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { toAppError } from '../http/framework-errors';
import type { Caller } from '../request-context/console-user';
import { type AuditEntry, recordIntent, recordOutcome, wasDoneSince } from './audit-log';

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
   * Calls a command of another service that changes something of an account, and notes the change.
   * @param type class of the command, which is validated before anything is noted
   * @param send calls the command
   * @throws AppError as the service throws it
   */
  async request<Command extends { accountId: string }, Reply>(
    entry: AccountEntry,
    type: BodyClass<Command>,
    fields: Omit<Command, 'accountId'>,
    send: (command: Command) => Promise<Reply>,
  ): Promise<Reply> {
    const command = parseBody(type, { ...fields, accountId: entry.accountId });
    const { standsForMs, ...noted } = entry;
    const since = standsForMs === undefined ? undefined : new Date(Date.now() - standsForMs);
    if (since && (await wasDoneSince(this.dataSource, noted, since))) return send(command);
    return this.make(noted, () => send(command));
  }

  /**
   * Calls a command of another service for an API client, or as `request` for a user.
   * @throws AppError as the service throws it
   */
  requestBy<Command extends { accountId: string }, Reply>(
    { accountId, actor }: Caller,
    change: Omit<AccountEntry, 'accountId' | 'actor'>,
    type: BodyClass<Command>,
    fields: Omit<Command, 'accountId'>,
    send: (command: Command) => Promise<Reply>,
  ): Promise<Reply> {
    if (actor === undefined) return send({ ...fields, accountId } as Command);
    return this.request({ ...change, accountId, actor }, type, fields, send);
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
