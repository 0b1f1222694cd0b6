import { Inject, Injectable } from '@nestjs/common';
import { AppError, type BodyClass, type ErrorCode, parseBody } from '@switchboard/contracts';
import { isOutcomeUnknown } from '@switchboard/database';
import { LOGGER } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { toAppError } from '../http/framework-errors';
import type { Caller } from '../request-context/console-user';
import { type AuditEntry, recordIntent, recordOutcome, wasDoneSince } from './audit-log';

/** Logger for lost outcomes: the service's logger or the operator's terminal. */
export interface LostOutcomes {
  error(lost: { err: unknown; entryId: string }, message: string): void;
}

/** Audit entry about an object of an account. */
export type AccountEntry = AuditEntry & {
  accountId: string;
  /** Period in milliseconds that one entry covers, for changes that repeat every few seconds. */
  standsForMs?: number;
};

/** Errors after which the change may nevertheless have been made. */
const TELLS_NOTHING: ReadonlySet<ErrorCode> = new Set(['OUTCOME_UNKNOWN', 'UPSTREAM_TIMEOUT', 'INTERNAL']);

/** Checks whether an error proves that the change was not made. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && !TELLS_NOTHING.has(error.code);
}

/** Checks for an error after which earlier steps may still have been made. */
function isUnavailable(error: unknown): boolean {
  return toAppError(error).code === 'UNAVAILABLE';
}

/**
 * Audits changes made outside the gateway's transactions. Records an entry before the change and its outcome
 * afterwards, so that no change lacks an entry and no rejected change appears as done.
 */
@Injectable()
export class AuditedChanges {
  /** @param logger reports outcomes that could not be recorded; their entries stay `unknown` */
  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: LostOutcomes,
  ) {}

  /**
   * Records a change, makes it and records its outcome.
   * @param work makes the change. If it has several steps, it calls `begun` after the first one, since a later
   * rejection does not undo that step
   * @returns the result of the work, even if the outcome could not be recorded
   * @throws AppError UNAVAILABLE when the entry could not be written and nothing was done; OUTCOME_UNKNOWN when a
   * service failed after a step was done; errors of the work
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
   * Records a change to an object of an account and sends the command that makes it.
   * @param type class of the command, validated before the entry is written
   * @param send calls the other service
   * @throws AppError from the service
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
   * Sends a command to another service. Records it first, as `request` does, if the caller is a user. Commands of API
   * clients are not recorded.
   * @throws AppError from the service
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

  /** Records the outcome. Never rejects and returns quickly, since the change has already been made or rejected. */
  private async note(entryId: string, errorCode?: ErrorCode): Promise<void> {
    try {
      await withinDatabaseDeadline(recordOutcome(this.dataSource, entryId, errorCode));
    } catch (error) {
      this.logger.error({ err: error, entryId }, 'audit.outcome-write-failed');
    }
  }
}
