import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  businessLeftV1,
  type LeaveBusinessCommand,
  type LeaveBusinessReply,
  maskPhone,
  numberRemovedV1,
  type RemoveNumberCommand,
  type RemoveNumberReply,
} from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import { LOGGER, type Logger } from '@switchboard/platform';
import {
  CHOOSE_PRIMARY,
  GIVE_UP_MEDIA,
  JUDGE_REMOVAL,
  LOCK_NUMBER,
  REMOVE_NUMBER,
  type RemovableNumber,
} from './number-removal.queries';
import { CURRENT_TIME, FIND_NUMBER_OF_BUSINESS, LOCK_NUMBERS } from './numbers.queries';

/** Removes numbers and business accounts from accounts. */
@Injectable()
export class NumberRemovals {
  constructor(
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Removes a number: stops its sends, deletes its credentials, and treats upstream reports about it like those about
   * an unknown number. With the last number of a business account, its templates are no longer synchronised. Messages,
   * contacts and windows are retained, and reappear if the same account adds the number again.
   * @throws AppError NOT_FOUND, INVALID_PARAMETER while the outcome of some of its messages is unknown
   */
  async removeNumber({ accountId, phoneNumber, dryRun }: RemoveNumberCommand): Promise<RemoveNumberReply> {
    const judged = await this.transactions.run(async (tx) => {
      const number = await judgeRemoval(tx, accountId, phoneNumber);
      if (!dryRun) await remove(tx, accountId, number);
      return number;
    });
    const { id, unsettled, unfetchedMedia, primary } = judged;
    if (!dryRun)
      this.logger.info({ accountId, numberId: id, phone: maskPhone(phoneNumber), unfetchedMedia }, 'number.removed');
    return { id, phoneNumber, unsettled, unfetchedMedia, primary };
  }

  /** @throws AppError INVALID_PARAMETER while the account has a number of the business account */
  leaveBusiness({ accountId, wabaId }: LeaveBusinessCommand): Promise<LeaveBusinessReply> {
    return this.transactions.run(async (tx) => {
      await tx.query(LOCK_NUMBERS);
      if (await leaveIfUnused(tx, accountId, wabaId)) return { wabaId };
      throw new AppError('INVALID_PARAMETER', {
        message: `the account has a number of business account ${wabaId}: remove it first (numbers remove)`,
      });
    });
  }
}

/**
 * Publishes that the account has left a business account, unless it still has a number there. The caller must hold
 * `LOCK_NUMBERS`, so that the times of departures and of new credentials are in the order of their transactions.
 * @returns false while the account has a number there
 */
export async function leaveIfUnused(tx: Transaction, accountId: string, wabaId: string): Promise<boolean> {
  const [used] = await tx.query(FIND_NUMBER_OF_BUSINESS, [accountId, wabaId]);
  if (used) return false;
  const [{ storedAt: leftAt } = { storedAt: '' }] = await tx.query<{ storedAt: string }>(CURRENT_TIME);
  tx.publish(businessLeftV1, { accountId, wabaId, leftAt });
  return true;
}

async function judgeRemoval(tx: Transaction, accountId: string, phoneNumber: string): Promise<RemovableNumber> {
  await tx.query(LOCK_NUMBERS);
  const [locked] = await tx.query<{ id: string }>(LOCK_NUMBER, [accountId, phoneNumber]);
  // Use a separate statement, so that it sees the writes for which the lock waited.
  const [number] = locked ? await tx.query<RemovableNumber>(JUDGE_REMOVAL, [accountId, locked.id]) : [];
  if (!number) throw new AppError('NOT_FOUND', { message: 'not found: the account has no such number' });
  return number;
}

async function remove(
  tx: Transaction,
  accountId: string,
  { id, phoneNumber, phoneNumberId, wabaId, unsettled }: RemovableNumber,
): Promise<void> {
  if (unsettled > 0) {
    throw new AppError('INVALID_PARAMETER', {
      message: `the outcome of ${unsettled} messages of this number is not known yet: try again in some minutes`,
    });
  }
  await tx.query(REMOVE_NUMBER, [accountId, id]);
  await tx.query(CHOOSE_PRIMARY, [accountId]);
  await tx.query(GIVE_UP_MEDIA, [accountId, id]);
  await leaveIfUnused(tx, accountId, wabaId);
  tx.publish(numberRemovedV1, { accountId, numberId: id, phoneNumber, phoneNumberId });
}
