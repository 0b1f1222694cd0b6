import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  type AccountNoticeRecord,
  accountNoticeRaisedV1,
  newId,
  numberStoppedV1,
  timeOfId,
  type UpstreamNumberChangedV1,
} from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import { LOGGER, type Logger } from '@switchboard/platform';
import { storable } from '../upstream/storable';
import { upstreamTime } from '../upstream/upstream-time';
import { AccountNotice } from './account-notice.entity';
import {
  type ConcernedAccount,
  FIND_CONCERNED,
  FIND_LAST_LIMIT,
  FIND_LATER_STATE,
  LOCK_BUSINESS,
  RESUME_NUMBERS,
  STOP_NUMBERS,
  type StoppedByBusiness,
} from './notices.queries';
import { type NumberCallback, type ReadNotice, readNotice } from './read-notice';

/** Stop reason for the numbers of a disabled business. A reinstatement resumes only numbers with this reason. */
const DISABLED_REASON = 'the upstream platform disabled the business account';

/** Notifies accounts of changes that the upstream platform reports about their business accounts and numbers. */
@Injectable()
export class NoticesService {
  constructor(
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Stores a notice and its event for each account that has a number of the business, in one transaction. A repeated
   * callback changes nothing.
   */
  async recordChange(change: UpstreamNumberChangedV1): Promise<void> {
    const { callbackId, wabaId, field, time } = change;
    const callback = storable({ wabaId, field, value: change.value });
    const notice = readNotice(callback);
    if (!notice) return;
    const receivedAt = timeOfId('cb', callbackId) ?? new Date();
    const occurredAt = upstreamTime(time, receivedAt);
    const fact = factOf(callback, time ?? occurredAt.slice(0, 10));
    const raised = await this.transactions.run(async (tx) => {
      await tx.query(LOCK_BUSINESS, [notice.wabaId]);
      const { phoneNumber, phoneNumberId } = notice;
      const accounts = await tx.query<ConcernedAccount>(FIND_CONCERNED, [notice.wabaId, phoneNumber, phoneNumberId]);
      let count = 0;
      for (const account of accounts) if (await raise(tx, account, { ...notice, fact, occurredAt })) count += 1;
      return count;
    });
    this.logger.info({ callbackId, wabaId, field, notice: notice.notice, raised }, 'notice.recorded');
  }
}

/**
 * Returns a hash that is equal for all repetitions of a callback.
 * @param moment upstream time, or the day if upstream gave none
 */
function factOf(callback: NumberCallback, moment: number | string): string {
  return createHash('sha256')
    .update(JSON.stringify([callback, moment]))
    .digest('base64url');
}

/** @returns true if the notice is new to the account */
async function raise(
  tx: Transaction,
  { accountId, phoneNumbers }: ConcernedAccount,
  { fact, occurredAt, isLimitBeside, ...read }: ReadNotice & { fact: string; occurredAt: string },
): Promise<boolean> {
  const { notice, severity, summary, wabaId, restrictions, messagingLimit, details } = read;
  if (notice === 'limit') {
    const [last] = await tx.query<{ messagingLimit: string }>(FIND_LAST_LIMIT, [accountId, wabaId]);
    if (last ? last.messagingLimit === messagingLimit : isLimitBeside) return false;
  }
  const record: AccountNoticeRecord = {
    id: newId('ntc'),
    notice,
    severity,
    summary,
    phoneNumbers,
    wabaId,
    restrictions,
    messagingLimit,
    details,
    timestamp: occurredAt,
  };
  const { timestamp, ...shown } = record;
  const inserted = await tx.manager
    .createQueryBuilder()
    .insert()
    .into(AccountNotice)
    .values({ ...shown, accountId, fact, occurredAt: new Date(timestamp) })
    .orIgnore()
    .returning('id')
    .execute();
  if ((inserted.raw as unknown[]).length === 0) return false;
  tx.publish(accountNoticeRaisedV1, { accountId, ...record });
  await applyState(tx, accountId, record);
  return true;
}

/**
 * Stops the numbers of a disabled business, because the platform would reject all of its sends, and resumes them after
 * a reinstatement. Other notices stop no number.
 */
async function applyState(tx: Transaction, accountId: string, record: AccountNoticeRecord): Promise<void> {
  const { notice, wabaId, timestamp } = record;
  if (notice !== 'disabled' && notice !== 'reinstated') return;
  const later = await tx.query(FIND_LATER_STATE, [accountId, wabaId, timestamp]);
  if (later.length > 0) return;
  if (notice === 'reinstated') {
    await tx.query(RESUME_NUMBERS, [accountId, wabaId, DISABLED_REASON]);
    return;
  }
  const stopped = await tx.query<StoppedByBusiness>(STOP_NUMBERS, [accountId, wabaId, DISABLED_REASON]);
  for (const { id, phoneNumber, stoppedAt } of stopped)
    tx.publish(numberStoppedV1, {
      accountId,
      numberId: id,
      phoneNumber,
      reason: DISABLED_REASON,
      timestamp: stoppedAt.toISOString(),
    });
}
