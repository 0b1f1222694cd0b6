import { applyDecorators } from '@nestjs/common';
import { LISTED_TYPES, type ListMessagesCommand, RECIPIENT_SCHEMA, TIME_SCHEMA } from '@switchboard/contracts';
import { matching, oneOf, parsePaging, personOf, type Query, storedTextOf, timeOf } from '../pagination/list-query';
import { ApiFilter } from '../openapi/decorators';
import { SHOWN_STATUSES } from './message-record';

const DIRECTIONS = ['inbound', 'outbound'] as const;
const JOB_ID = /^job_[0-9a-z]{1,64}$/;

/** The filters of a list of messages. */
export function ApiMessageFilters(): MethodDecorator {
  return applyDecorators(
    ApiFilter('direction', { type: 'string', enum: ['inbound', 'outbound'] }),
    ApiFilter(
      'status',
      { type: 'string', enum: SHOWN_STATUSES },
      '`unknown`: the outcome of the send is not known yet',
    ),
    ApiFilter('type', { type: 'string', enum: LISTED_TYPES }),
    ApiFilter('phone', RECIPIENT_SCHEMA, "The other side's number, or their user id"),
    ApiFilter('jobId', { type: 'string' }),
    ApiFilter('clientRef', { type: 'string', maxLength: 128 }, 'The reference that the send was given'),
    ApiFilter('messageId', { type: 'string', maxLength: 256 }, "The upstream platform's identifier"),
    ApiFilter('groupId', { type: 'string', maxLength: 256 }, 'A group, as the upstream platform names it'),
    ApiFilter('since', TIME_SCHEMA, 'From this time on'),
    ApiFilter('until', TIME_SCHEMA, 'Before this time'),
  );
}

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
    phone: personOf(query),
    jobId: matching(query, 'jobId', JOB_ID, 'the id of a job'),
    clientRef: storedTextOf(query, 'clientRef', 128),
    upstreamId: storedTextOf(query, 'messageId', 256),
    groupId: storedTextOf(query, 'groupId', 256),
    since: timeOf(query, 'since'),
    until: timeOf(query, 'until'),
  };
}
