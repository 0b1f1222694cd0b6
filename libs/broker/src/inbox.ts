import type { Transaction } from '@switchboard/database';
import type { Delivery } from './delivery';

/**
 * Records a message in the transaction that handles it. Call this first, and skip the work when it returns false.
 * @returns whether no committed transaction of this service has handled the message before
 */
export async function isFirstDelivery(
  tx: Pick<Transaction, 'queryPrepared'>,
  delivery: Pick<Delivery, 'messageId'>,
): Promise<boolean> {
  const rows = await tx.queryPrepared(
    'INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING message_id',
    [delivery.messageId],
  );
  return rows.length === 1;
}
