import { type HeldReason, messageHeldV1 } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import type { SentMessage } from '@switchboard/upstream';
import { heldEvent } from '../messages/message-events';
import { HELD_SENDS, type HeldMessage, HOLD_SENDS } from './send.queries';

/** A message that the platform accepted but is holding back. */
export interface HeldSend {
  accountId: string;
  messageId: string;
  reason: HeldReason;
}

/** Upstream statuses of accepted messages that the platform is holding back, and the published reasons. */
const HELD: Readonly<Record<string, HeldReason>> = {
  held_for_quality_assessment: 'quality_assessment',
  paused: 'paused',
};

/** @returns why the platform is holding the message back, or null if it is not */
export function heldReasonOf({ messageStatus }: SentMessage): HeldReason | null {
  return HELD[messageStatus ?? ''] ?? null;
}

/**
 * Marks accepted messages as held and publishes each once, unless the platform has reported a later status meanwhile.
 * @param tx transaction that accepts the messages
 */
export async function reportHeld(tx: Transaction, held: readonly HeldSend[]): Promise<void> {
  if (held.length === 0) return;
  const timestamp = new Date().toISOString();
  const rows = HELD_SENDS.parameters(held, { id: ({ messageId }) => messageId });
  const messages = await tx.query<HeldMessage>(HOLD_SENDS, rows);
  for (const message of messages) tx.publish(messageHeldV1, heldEvent(message, { reason: message.reason, timestamp }));
}
