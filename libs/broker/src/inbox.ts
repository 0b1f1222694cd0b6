import type { Transaction } from '@switchboard/database';
import type { Delivery } from './delivery';

/**
 * Remembers a message in the transaction that handles it: call this first and do nothing when it is false.
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
