import { type MessagePricing, timeOfId } from '@switchboard/contracts';
import type { BatchRow, Transaction } from '@switchboard/database';
import { countryOf } from '@switchboard/pricing';
import { ADD_USAGE, USAGE } from './usage.queries';

/** Message after statuses were applied. */
export interface CountedOutcome {
  id: string;
  accountId: string;
  recipient: string;
  jobId: string | null;
  /** Name of the template; null for other messages. */
  template: string | null;
  pricing: MessagePricing | null;
  /** True if an earlier status contained the pricing. */
  wasPriced: boolean;
  /** State before and after the statuses. */
  before: string;
  after: string;
}

type UsageRow = BatchRow<typeof USAGE>;

/**
 * Counts messages that are delivered and priced from now on. The statement is sent with the next one of the
 * transaction.
 */
export function countUsage(tx: Pick<Transaction, 'queue'>, outcomes: readonly CountedOutcome[]): void {
  const rows = usageOf(outcomes);
  if (rows.length > 0) tx.queue(ADD_USAGE, USAGE.parameters(rows));
}

export const isDelivered = (state: string): boolean => state === 'delivered' || state === 'read';

/** Uses the explicit flag, otherwise the type: only `regular` messages are charged. */
export const isCharged = ({ billable, type }: Pick<MessagePricing, 'billable' | 'type'>): boolean =>
  billable ?? type === 'regular';

/** Returns the counts to add. */
export function usageOf(outcomes: readonly CountedOutcome[]): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  for (const outcome of outcomes) {
    const { pricing, wasPriced, before, after } = outcome;
    if (!pricing || !isDelivered(after) || (wasPriced && isDelivered(before))) continue;
    const row = {
      accountId: outcome.accountId,
      day: (timeOfId('msg', outcome.id) ?? new Date()).toISOString().slice(0, 10),
      category: pricing.category ?? '',
      type: pricing.type ?? '',
      billable: pricing.billable === null ? '' : String(pricing.billable),
      country: countryOf(outcome.recipient) ?? '',
      template: outcome.template ?? '',
      jobId: outcome.jobId ?? '',
    };
    const key = JSON.stringify(row);
    rows.set(key, { ...row, delivered: String(Number(rows.get(key)?.delivered ?? 0) + 1) });
  }
  return [...rows.values()];
}
