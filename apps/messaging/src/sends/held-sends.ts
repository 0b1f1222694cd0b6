import { type HeldReason, messageHeldV1 } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import type { SentMessage } from '@switchboard/upstream';
import { heldEvent } from '../messages/message-events';
import { HELD_SENDS, type HeldMessage, HOLD_SENDS } from './send.queries';

/** A message that the platform took and holds back. */
export interface HeldSend {
  accountId: string;
  messageId: string;
  reason: HeldReason;
}

/** What the platform calls a message that it took and holds back. */
const HELD: Readonly<Record<string, HeldReason>> = {
  held_for_quality_assessment: 'quality_assessment',
  paused: 'paused',
};

/** @returns why the platform holds the message back; null for one that goes on at once */
export function heldReasonOf({ messageStatus }: SentMessage): HeldReason | null {
  return HELD[messageStatus ?? ''] ?? null;
}

/**
 * Marks accepted messages as held and reports each once; what the platform told of one meanwhile counts more.
 * @param tx the transaction that accepts them
 */
export async function reportHeld(tx: Transaction, held: readonly HeldSend[]): Promise<void> {
  if (held.length === 0) return;
  const timestamp = new Date().toISOString();
  const rows = HELD_SENDS.parameters(held, { id: ({ messageId }) => messageId });
  const messages = await tx.query<HeldMessage>(HOLD_SENDS, rows);
  for (const message of messages) tx.publish(messageHeldV1, heldEvent(message, { reason: message.reason, timestamp }));
}
