import { Injectable } from '@nestjs/common';
import { AppError, businessLeftV1, type LeaveBusinessCommand, type LeaveBusinessReply } from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import { CURRENT_TIME, FIND_NUMBER_OF_BUSINESS, LOCK_NUMBERS } from './numbers.queries';

/** Business accounts of which an account has no number any more. */
@Injectable()
export class LeftBusinesses {
  constructor(private readonly transactions: Transactions) {}

  /** @throws AppError INVALID_PARAMETER while the account has a number of it */
  leave({ accountId, wabaId }: LeaveBusinessCommand): Promise<LeaveBusinessReply> {
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
 * Says that the account has left a business account, if no number of it is left. Stands behind the lock of numbers, so
 * that its time and those of credentials ascend as they follow each other.
 * @returns false while the account has a number of it
 */
export async function leaveIfUnused(tx: Transaction, accountId: string, wabaId: string): Promise<boolean> {
  const [used] = await tx.query(FIND_NUMBER_OF_BUSINESS, [accountId, wabaId]);
  if (used) return false;
  const [{ storedAt: leftAt } = { storedAt: '' }] = await tx.query<{ storedAt: string }>(CURRENT_TIME);
  tx.publish(businessLeftV1, { accountId, wabaId, leftAt });
  return true;
}
