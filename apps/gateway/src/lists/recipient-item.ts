import { type Failure, failureOf, failureOfRefusal, type RecipientRecord } from '@switchboard/contracts';

/** Why a recipient was rejected or has failed, in the shape of a message's error; null for the others. */
export function failureOfRecipient({ error, refusal }: Pick<RecipientRecord, 'error' | 'refusal'>): Failure | null {
  if (error) return failureOf(error);
  return refusal ? failureOfRefusal(refusal) : null;
}

/** A recipient as the API shows it, with the upstream's id under both names. */
export function recipientItem({
  upstreamId,
  refusal,
  error,
  id,
  index,
  phone,
  status,
  clientRef,
  ...times
}: RecipientRecord): object {
  return {
    index,
    phone,
    status,
    id,
    message_id: upstreamId,
    messageId: upstreamId,
    clientRef,
    error: failureOfRecipient({ error, refusal }),
    ...times,
  };
}
