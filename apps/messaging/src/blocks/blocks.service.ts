import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  type ChangeBlockCommand,
  type ChangeBlockReply,
  type ListBlocksCommand,
  type ListBlocksReply,
  phoneOfPerson,
} from '@switchboard/contracts';
import {
  markSideEffect,
  pageOf,
  placeOf,
  withoutSideEffectTracking,
  query,
  refuseTooDeep,
  Transactions,
} from '@switchboard/database';
import { CONFIG, counter } from '@switchboard/platform';
import { UpstreamError } from '@switchboard/upstream';
import { DataSource } from 'typeorm';
import type { MessagingConfig } from '../config';
import { capped, COUNT_LIMIT } from '../list-totals/list-totals';
import { refusalOfCall } from '../messages/message-error';
import { noNumber } from '../sends/send-refusals';
import { ownIdOf } from '../people/own-id';
import { keysOf } from '../people/person-keys';
import { SuspendedNumbers } from '../numbers/suspended-numbers';
import { UpstreamNumbers } from '../numbers/upstream-numbers';
import {
  BEGIN_CHANGE,
  type BlockingNumber,
  type BlockRow,
  COUNT_BLOCKS,
  FIND_BLOCK,
  FIND_BLOCKING_NUMBER,
  FORGET_BLOCK,
  KEYS_OF_PERSON,
  LIST_BLOCKS,
  MAKE_DUE,
  NOTE_BLOCK,
  NOTE_CHANGE,
} from './blocks.queries';

/** Part of the caller's deadline that is reserved for storing the outcome and returning the reply. */
const REPLY_MARGIN_MS = 1_000;
/** Error code if the contact did not write within the last 24 hours. A closed service window has the same code. */
const DID_NOT_WRITE = 131047;
const LIST_FULL = 139101;
/** Matches an id of at most 18 digits, which is below PostgreSQL's bigint maximum. */
const CURSOR = /^[0-9]{1,18}$/;

const changes = counter('messaging_block_changes_total', 'Blocks and unblocks: done, refused', {
  action: ['block', 'unblock'],
  outcome: ['done', 'refused'],
});

/**
 * Manages the contacts that the numbers of an account block. The upstream platform's list is authoritative, and the
 * stored rows are a copy (ADR 50). A read of the list is scheduled before each change. If the process crashes after the
 * platform's response, the copy is therefore wrong only for a short time. Repeating a call to the platform changes
 * nothing.
 */
@Injectable()
export class BlocksService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly upstream: UpstreamNumbers,
    private readonly suspendedNumbers: SuspendedNumbers,
    @Inject(CONFIG) private readonly config: Pick<MessagingConfig, 'UPSTREAM_TIMEOUT_MS'>,
  ) {}

  /**
   * Blocks or unblocks a contact.
   * @param deadline time at which the caller stops waiting, on the clock of `performance.now()`
   * @throws AppError INVALID_PARAMETER, NUMBER_STOPPED, WINDOW_CLOSED, INVALID_VALUE, or the error of the platform
   */
  async changeBlock(
    { accountId, phone: given, from, action }: ChangeBlockCommand,
    deadline = Number.POSITIVE_INFINITY,
  ): Promise<ChangeBlockReply> {
    const [number] = await query<BlockingNumber>(this.dataSource, FIND_BLOCKING_NUMBER, [accountId, from ?? null]);
    if (!number) throw noNumber(from);
    const { phoneNumber } = number;
    await this.suspendedNumbers.rejectIfSuspended(accountId, number);
    // A scheduled read of the list is not a side effect.
    await withoutSideEffectTracking(() => query(this.dataSource, BEGIN_CHANGE, [accountId, number.id]));
    const timeoutMs = Math.min(this.config.UPSTREAM_TIMEOUT_MS, deadline - REPLY_MARGIN_MS - performance.now());
    // The caller has stopped waiting, and the platform was not called.
    if (timeoutMs <= 0) throw new AppError('UNAVAILABLE');
    const phone = await ownIdOf(this.dataSource, accountId, given);
    const blockedBefore = await this.ask({ accountId, number, phone, action, timeoutMs });
    if (blockedBefore) return { phone: given, phoneNumber, blockedAt: blockedBefore.toISOString() };
    // From here on, an error must not report that nothing was done.
    markSideEffect();
    changes.inc({ action, outcome: 'done' });
    const blockedAt = await this.note({ accountId, number, phone, action });
    return { phone: given, phoneNumber, blockedAt: blockedAt?.toISOString() ?? null };
  }

  /** @throws AppError INVALID_PARAMETER for an invalid cursor, INVALID_VALUE for a page number that is too high */
  async listBlocks(command: ListBlocksCommand): Promise<ListBlocksReply> {
    const { accountId, limit } = command;
    const { after, offset, take } = placeOf(command, CURSOR);
    const [counted] = await query<{ total: number }>(this.dataSource, COUNT_BLOCKS, [accountId, COUNT_LIMIT + 1]);
    const found = await query<BlockRow>(this.dataSource, LIST_BLOCKS, [accountId, after, offset, take]);
    refuseTooDeep(command, found);
    const { rows, ...next } = pageOf(found, limit, ({ id }) => id);
    const blocks = rows.map(({ id: _id, userId, blockedAt, ...row }) => ({
      ...row,
      userId: phoneOfPerson(row.phone) === null ? row.phone : userId,
      blockedAt: blockedAt.toISOString(),
    }));
    return { blocks, ...capped(counted?.total ?? 0), ...next };
  }

  /**
   * Calls the platform.
   * @returns the stored time of the block if the platform refuses to block the same contact again
   */
  private async ask({
    accountId,
    number,
    phone,
    action,
    timeoutMs,
  }: Change & { timeoutMs: number }): Promise<Date | undefined> {
    try {
      await this.upstream.changeBlock(number, action, { person: phone, timeoutMs });
      return undefined;
    } catch (error) {
      changes.inc({ action, outcome: 'refused' });
      await this.suspendedNumbers.suspendIfRejected(number, error);
      if (!(error instanceof UpstreamError)) throw error;
      if (error.kind === 'unknown-outcome') {
        markSideEffect();
        await query(this.dataSource, MAKE_DUE, [accountId, number.id]);
      }
      if (error.code !== DID_NOT_WRITE) throw refusalOf(error, action);
      const [known] = await query<{ blockedAt: Date }>(this.dataSource, FIND_BLOCK, [
        accountId,
        number.id,
        await this.keysOfPerson(accountId, phone),
      ]);
      if (known) return known.blockedAt;
      throw refusalOf(error, action);
    }
  }

  private async note({ accountId, number, phone, action }: Change): Promise<Date | undefined> {
    const keys = await this.keysOfPerson(accountId, phone);
    return this.transactions.run(async (tx) => {
      // Storing the result of a read also locks this row first.
      await tx.query(NOTE_CHANGE, [accountId, number.id]);
      if (action === 'unblock') {
        await tx.query(FORGET_BLOCK, [accountId, number.id, keys]);
        return undefined;
      }
      const [known] = await tx.query<{ blockedAt: Date }>(FIND_BLOCK, [accountId, number.id, keys]);
      if (known) return known.blockedAt;
      const { phoneKey, userId } = keysOf(phone);
      const key = phoneKey ?? userId;
      const [noted] = await tx.query<{ blockedAt: Date }>(NOTE_BLOCK, [accountId, number.id, phone, key]);
      return noted?.blockedAt;
    });
  }

  private async keysOfPerson(accountId: string, person: string): Promise<string[]> {
    const { phoneKey, userId } = keysOf(person);
    const rows = await query<{ key: string }>(this.dataSource, KEYS_OF_PERSON, [accountId, phoneKey, userId]);
    return rows.map(({ key }) => key);
  }
}

interface Change {
  accountId: string;
  number: BlockingNumber;
  /** Phone number or user id. */
  phone: string;
  action: 'block' | 'unblock';
}

function refusalOf(error: UpstreamError, action: Change['action']): AppError {
  if (error.kind === 'unknown-outcome')
    return new AppError('UPSTREAM_TIMEOUT', {
      message: `the upstream platform did not respond in time: the contact may be ${action}ed. You may repeat the request`,
      cause: error,
    });
  const refused = refusalOfCall(error);
  const message = {
    [DID_NOT_WRITE]: 'only a person who wrote to this business number within the last 24 hours can be blocked',
    [LIST_FULL]: 'the block list of this business number is full: unblock somebody first',
  }[error.code ?? 0];
  return message === undefined ? refused : new AppError(refused.code, { message, extra: refused.extra, cause: error });
}
