import {
  type FollowedMessage,
  type FollowedStatus,
  labelsOf,
  maskPhone,
  type MessageError,
  type MessageLabels,
} from '@switchboard/contracts';

const STATUSES = ['received', 'accepted', 'sent', 'delivered', 'read', 'failed', 'edited', 'deleted'] as const;

type Copied = 'id' | 'accountId' | 'upstreamId' | 'direction' | 'origin' | 'numberId' | 'type' | 'state';
type CopiedToo = 'heldReason' | 'jobId' | 'sendAttempts';

/** A message as read for operators, with the time of each status. */
export type FollowedRow = Pick<FollowedMessage, Copied | CopiedToo> &
  MessageLabels &
  Record<(typeof STATUSES)[number], Date | null> & {
    sender: string;
    recipient: string;
    templateName: string | null;
    templateLanguage: string | null;
    error: MessageError | null;
    sendTrace: string | null;
    createdAt: Date;
  };

/** Omits the content and masks phone numbers. */
export function toFollowedMessage(row: FollowedRow): FollowedMessage {
  const { id, accountId, upstreamId, direction, origin, numberId, type, state } = row;
  const { heldReason, jobId, sendAttempts, error, templateName } = row;
  return {
    id,
    accountId,
    upstreamId,
    direction,
    origin,
    numberId,
    from: maskPhone(row.sender),
    to: maskPhone(row.recipient),
    type,
    template: templateName === null ? null : { name: templateName, language: row.templateLanguage },
    state,
    error: error && {
      reason: error.reason ?? null,
      code: error.code,
      category: error.category,
      retriable: error.retriable,
    },
    heldReason,
    jobId,
    ...labelsOf(row),
    sendAttempts,
    traceId: row.sendTrace?.split('-')[1] ?? null,
    createdAt: row.createdAt.toISOString(),
    statuses: statusesOf(row),
  };
}

/** Orders statuses by time, then by progress, because the upstream platform's timestamps have whole seconds. */
function statusesOf(row: FollowedRow): FollowedStatus[] {
  const reached = STATUSES.flatMap((status) => {
    const at = row[status];
    return at === null ? [] : [{ status, at: at.toISOString(), afterMs: at.getTime() - row.createdAt.getTime() }];
  });
  return reached.sort((one, other) => one.afterMs - other.afterMs);
}
