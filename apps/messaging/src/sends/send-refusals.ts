import { AppError, type GetSendReply, type SendMessageReply } from '@switchboard/contracts';
import { numberSuspended } from '../numbers/suspended-numbers';
import { refusalOfStored } from '../messages/message-error';
import type { SpendRefusal } from '../spend/spend-limiter';
import type { BegunSend, SendRefusal, StoredSend } from './send.queries';

/** Returns the error for a send that was not started (spec §3.1.6, §3.6.4, §3.7, §3.8.4). */
export function refusalOfBegin(
  refusal: SendRefusal,
  { stoppedReason, capReason }: Pick<BegunSend, 'stoppedReason' | 'capReason'>,
  from: string | undefined,
): AppError {
  switch (refusal) {
    case 'no-number':
      return noNumber(from);
    case 'number-stopped':
      return numberSuspended(stoppedReason);
    case 'blocked':
      return new AppError('RECIPIENT_OPTED_OUT', { message: 'your account has blocked this recipient' });
    case 'blocked-upstream':
      return new AppError('RECIPIENT_BLOCKED');
    case 'opted-out':
      return new AppError('RECIPIENT_OPTED_OUT');
    case 'window-closed':
      return new AppError('WINDOW_CLOSED');
    case 'spend-cap':
    case 'rate-unknown':
      return refusalOfCap(refusal, capReason);
    case 'capped':
      throw new Error('a message of an account with a spend cap needs a reservation');
  }
}

/** Returns the error for a message rejected by a spend cap (spec §3.15). */
export function refusalOfCap(refusal: SpendRefusal['refusal'], reason?: string): AppError {
  return new AppError(refusal === 'spend-cap' ? 'SPEND_CAP_REACHED' : 'RATE_UNKNOWN', {
    ...(reason && { message: reason }),
  });
}

/** Returns the error for an account without this number, or without any number. */
export function noNumber(from: string | undefined): AppError {
  const message = from ? 'from is not one of your numbers' : 'the account has no number to send from';
  return new AppError('INVALID_PARAMETER', { message, details: [{ field: 'from', message }] });
}

/**
 * Builds the reply to a send from its row.
 * @throws AppError for a failed send, UPSTREAM_TIMEOUT for an unsettled one
 */
export function answerOf(id: string, stored: StoredSend | undefined): SendMessageReply {
  // A message with an upstream id was accepted, whatever its state is now.
  if (stored?.upstreamId) return { id, upstreamId: stored.upstreamId };
  if (stored?.state === 'failed' && stored.error) throw refusalOfStored(stored.error, id);
  throw new AppError('UPSTREAM_TIMEOUT');
}

export function replyOf(stored: StoredSend | undefined): GetSendReply {
  if (!stored) return { state: 'none', upstreamId: null, error: null };
  const { state, upstreamId, error } = stored;
  if (state === 'sending' || state === 'unknown') return { state: 'unknown', upstreamId, error: null };
  // A later delivery supersedes the failure.
  return { state, upstreamId, error: state === 'failed' ? error : null };
}
