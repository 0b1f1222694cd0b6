import { type AccountNoticeRecord, accountNoticeRaisedV1, newId } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import { AccountNotice } from './account-notice.entity';

/** Percentages of a spend cap at which its account is notified. */
export const SPEND_NOTICE_PERCENT = { warning: 80, reached: 100 } as const;

export interface SpendNotice {
  accountId: string;
  month: string;
  /** Cap and the amounts that count towards it, in decimal notation. */
  amount: string;
  used: string;
  currency: string;
  percent: (typeof SPEND_NOTICE_PERCENT)[keyof typeof SPEND_NOTICE_PERCENT];
}

/**
 * Stores a notice about a spend cap and publishes its event. The caller ensures that each percentage is reported only
 * once per cap and month.
 */
export async function raiseSpendNotice(tx: Transaction, notice: SpendNotice): Promise<void> {
  const { accountId, month, amount, used, currency, percent } = notice;
  const isReached = percent === SPEND_NOTICE_PERCENT.reached;
  const record: AccountNoticeRecord = {
    id: newId('ntc'),
    notice: 'spend_cap',
    severity: isReached ? 'critical' : 'warning',
    summary: isReached
      ? `The spend cap of ${amount} ${currency} for ${month} is reached: messages that would pass it are rejected`
      : `${percent} % of the spend cap of ${amount} ${currency} for ${month} is used`,
    phoneNumbers: [],
    wabaId: '',
    restrictions: [],
    messagingLimit: null,
    details: { month, percent, amount, used, currency },
    timestamp: new Date().toISOString(),
  };
  const { timestamp, ...shown } = record;
  await tx.manager.insert(AccountNotice, {
    ...shown,
    accountId,
    fact: record.id,
    occurredAt: new Date(timestamp),
    restrictions: [],
    details: record.details as never,
  });
  tx.publish(accountNoticeRaisedV1, { accountId, ...record });
}
