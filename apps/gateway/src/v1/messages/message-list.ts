import { LISTED_TYPES, type ListMessagesCommand } from '@switchboard/contracts';
import { matching, oneOf, parsePaging, phoneOf, type Query, storedTextOf, timeOf } from '../../lists/list-query';
import { SHOWN_STATUSES } from './message-record';

const DIRECTIONS = ['inbound', 'outbound'] as const;
const JOB_ID = /^job_[0-9a-z]{1,64}$/;

/**
 * Reads the query of `GET /v1/messages` (spec §7.2.2); unknown parameters are ignored.
 * @throws AppError INVALID_PARAMETER (400), INVALID_PHONE or INVALID_VALUE (422)
 */
export function parseMessageList(query: Query): Omit<ListMessagesCommand, 'accountId'> {
  return {
    ...parsePaging(query),
    direction: oneOf(query, 'direction', DIRECTIONS),
    status: oneOf(query, 'status', SHOWN_STATUSES),
    type: oneOf(query, 'type', LISTED_TYPES),
    phone: phoneOf(query),
    jobId: matching(query, 'jobId', JOB_ID, 'the id of a job'),
    clientRef: storedTextOf(query, 'clientRef', 128),
    upstreamId: storedTextOf(query, 'messageId', 256),
    since: timeOf(query, 'since'),
    until: timeOf(query, 'until'),
  };
}
