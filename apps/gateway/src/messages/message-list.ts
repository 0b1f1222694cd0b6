import { applyDecorators } from '@nestjs/common';
import {
  CLIENT_REF_MAX_CHARACTERS,
  IsRecipient,
  LISTED_TYPES,
  RECIPIENT_SCHEMA,
  SHOWN_STATUSES,
  TIME_SCHEMA,
} from '@switchboard/contracts';
import { IsOptional } from 'class-validator';
import { IsFragment, IsGivenOnce, IsLike, IsOneOf, IsPointInTime, IsRecordText } from '../pagination/query-rules';
import { ApiFilter } from '../openapi/decorators';

const DIRECTIONS = ['inbound', 'outbound'] as const;
const JOB_ID = /^job_[0-9a-z]{1,64}$/;

export function ApiMessageFilters(): MethodDecorator {
  return applyDecorators(
    ApiFilter('direction', { type: 'string', enum: ['inbound', 'outbound'] }),
    ApiFilter(
      'status',
      { type: 'string', enum: SHOWN_STATUSES },
      '`unknown`: the outcome of the send is not known yet',
    ),
    ApiFilter('type', { type: 'string', enum: LISTED_TYPES }),
    ApiFilter('phone', RECIPIENT_SCHEMA, 'Phone number or user id of the contact'),
    ApiFilter('jobId', { type: 'string' }),
    ApiFilter(
      'clientRef',
      { type: 'string', maxLength: CLIENT_REF_MAX_CHARACTERS },
      'Reference set in the send request',
    ),
    ApiFilter('messageId', { type: 'string', maxLength: 256 }, 'ID assigned by the upstream platform'),
    ApiFilter('groupId', { type: 'string', maxLength: 256 }, 'ID of a group at the upstream platform'),
    ApiFilter('since', TIME_SCHEMA, 'Only messages at or after this time'),
    ApiFilter('until', TIME_SCHEMA, 'Only messages before this time'),
  );
}

/** Filters of `GET /v1/messages` (spec §7.2.2). */
export class MessageFilters {
  @IsOptional() @IsOneOf(DIRECTIONS) direction?: (typeof DIRECTIONS)[number];
  @IsOptional() @IsOneOf(SHOWN_STATUSES) status?: (typeof SHOWN_STATUSES)[number];
  @IsOptional() @IsOneOf(LISTED_TYPES) type?: (typeof LISTED_TYPES)[number];
  @IsOptional() @IsGivenOnce() @IsRecipient() phone?: string;
  @IsOptional() @IsLike(JOB_ID, 'the id of a job') jobId?: string;
  @IsOptional() @IsRecordText(CLIENT_REF_MAX_CHARACTERS) clientRef?: string;
  /** Upstream message id. */
  @IsOptional() @IsRecordText(256) messageId?: string;
  @IsOptional() @IsRecordText(256) groupId?: string;
  @IsOptional() @IsPointInTime() since?: string;
  @IsOptional() @IsPointInTime() until?: string;
}

/** Filters of the dashboard's list of messages (spec §7.8). */
export class ConsoleMessageFilters extends MessageFilters {
  @IsOptional() @IsFragment() text?: string;
}
