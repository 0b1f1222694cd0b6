import { type HeldReason, messageHeldV1 } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import type { SentMessage } from '@switchboard/upstream';
import { heldEvent } from '../messages/message-events';
import { HELD_SENDS, type HeldMessage, HOLD_SENDS } from './send.queries';

/** Message that the platform accepted but holds back. */
export interface HeldSend {
  accountId: string;
  messageId: string;
  reason: HeldReason;
}

/** Status of an accepted message that the platform holds back, with the reason that we report. */
const HELD: Readonly<Record<string, HeldReason>> = {
  held_for_quality_assessment: 'quality_assessment',
  paused: 'paused',
};

/** @returns why the platform holds the message back; null if it does not */
export function heldReasonOf({ messageStatus }: SentMessage): HeldReason | null {
  return HELD[messageStatus ?? ''] ?? null;
}

/**
 * Marks accepted messages as held and reports each once, unless the platform has reported a later status meanwhile.
 * @param tx the transaction that accepts them
 */
export async function reportHeld(tx: Transaction, held: readonly HeldSend[]): Promise<void> {
  if (held.length === 0) return;
  const timestamp = new Date().toISOString();
  const rows = HELD_SENDS.parameters(held, { id: ({ messageId }) => messageId });
  const messages = await tx.query<HeldMessage>(HOLD_SENDS, rows);
  for (const message of messages) tx.publish(messageHeldV1, heldEvent(message, { reason: message.reason, timestamp }));
}
