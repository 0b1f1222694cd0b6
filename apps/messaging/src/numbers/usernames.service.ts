import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  type GetNumberUsernameCommand,
  notFound,
  type NumberUsernameReply,
  type SetNumberUsernameCommand,
  USERNAME_STATUSES,
  type UsernameStatus,
} from '@switchboard/contracts';
import { markSideEffect, query } from '@switchboard/database';
import { CONFIG } from '@switchboard/platform';
import { UpstreamError, type UpstreamUsername } from '@switchboard/upstream';
import { DataSource } from 'typeorm';
import type { MessagingConfig } from '../config';
import { refusalOfCall } from '../messages/message-error';
import { type StoredNumber, UpstreamNumbers } from './upstream-numbers';

/** Part of the caller's deadline that is reserved for the reply. */
const REPLY_MARGIN_MS = 1_000;

/** $1 account, $2 phone number */
const FIND_NUMBER = `
  SELECT id, phone_number_id AS "phoneNumberId", sealed_access_token AS "sealedAccessToken" FROM numbers
  WHERE account_id = $1 AND phone_number = $2 AND removed_at IS NULL`;

/** Explanations of the platform's codes (spec §10.3.3). Their own texts do not say what to do. */
const REASONS: Record<number, string> = {
  147001: 'this user name is not available: choose another one',
  147002: 'the business may not have a user name yet: the platform requires a higher messaging limit',
  147003: 'this user name belongs to a Facebook page: link the number to that page first',
  147004: 'this user name belongs to an Instagram account: link the number to that account first',
};

/**
 * Reads and changes the user names of business numbers. The platform owns them, and nothing is stored here. A rejection
 * does not stop the number: the token may lack the permission for its settings and still send.
 */
@Injectable()
export class UsernamesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly upstream: UpstreamNumbers,
    @Inject(CONFIG) private readonly config: Pick<MessagingConfig, 'UPSTREAM_TIMEOUT_MS'>,
  ) {}

  /**
   * @param deadline time at which the caller stops waiting, by `performance.now()`
   * @throws AppError NOT_FOUND, or the error of the platform
   */
  async read(
    { accountId, phoneNumber }: GetNumberUsernameCommand,
    deadline = Number.POSITIVE_INFINITY,
  ): Promise<NumberUsernameReply> {
    const number = await this.find(accountId, phoneNumber);
    try {
      return shown(phoneNumber, await this.upstream.readUsername(number, { timeoutMs: this.timeoutUntil(deadline) }));
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /** Sets or deletes the user name. Parameters and errors as for `read`. */
  async change(
    { accountId, phoneNumber, username = null }: SetNumberUsernameCommand,
    deadline = Number.POSITIVE_INFINITY,
  ): Promise<NumberUsernameReply> {
    const number = await this.find(accountId, phoneNumber);
    try {
      const status = await this.upstream.changeUsername(number, username, { timeoutMs: this.timeoutUntil(deadline) });
      markSideEffect();
      return shown(phoneNumber, { username: username ?? undefined, status });
    } catch (error) {
      if (error instanceof UpstreamError && error.kind === 'unknown-outcome') markSideEffect();
      throw refusalOf(error);
    }
  }

  private async find(accountId: string, phoneNumber: string): Promise<StoredNumber> {
    const [number] = await query<StoredNumber>(this.dataSource, FIND_NUMBER, [accountId, phoneNumber]);
    if (!number) throw notFound('number');
    return number;
  }

  /** @throws AppError UNAVAILABLE when the caller has stopped waiting */
  private timeoutUntil(deadline: number): number {
    const timeoutMs = Math.min(this.config.UPSTREAM_TIMEOUT_MS, deadline - REPLY_MARGIN_MS - performance.now());
    if (timeoutMs <= 0) throw new AppError('UNAVAILABLE');
    return timeoutMs;
  }
}

function shown(phoneNumber: string, { username, status }: UpstreamUsername): NumberUsernameReply {
  const isKnown = (USERNAME_STATUSES as readonly (string | undefined)[]).includes(status);
  if (username === undefined) return { phoneNumber, username: null, status: null };
  return { phoneNumber, username, status: isKnown ? (status as UsernameStatus) : null };
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error;
  const refused = refusalOfCall(error);
  const message = REASONS[error.code ?? 0];
  return message === undefined ? refused : new AppError(refused.code, { message, extra: refused.extra, cause: error });
}
