import {
  Answer,
  declaredOf,
  Doc,
  Either,
  Failure,
  failureOf,
  failureOfRefusal,
  IsRecipient,
  IsTime,
  JOB_NAME_MAX,
  JOB_STATUSES,
  JobRecord,
  type JobStatus,
  labelsOf,
  ListOf,
  listJobsV1,
  listRecipientsV1,
  MessageLabels,
  Nested,
  OrNull,
  RECIPIENT_STATUSES,
  RecipientRecord,
  type RecipientStatus,
  UPSTREAM_MESSAGE_ID,
} from '@switchboard/contracts';
import { IsIn, IsInt, IsOptional, IsString } from 'class-validator';
import { PageQuery } from '../pagination/page-query';
import { Pagination, paginationOf } from '../pagination/pagination';
import { IsGivenOnce, IsOneOf, IsRecordText } from '../pagination/query-rules';

const FIRST_PAGE = { page: 1, limit: 20 };

export class ListJobsQuery extends PageQuery {
  @IsOptional() @IsOneOf(JOB_STATUSES) status?: JobStatus;
  @IsOptional() @IsRecordText(JOB_NAME_MAX) search?: string;
}

/** API description of `search`. */
export const JOB_SEARCH_DOC = "Part of the job's name or of its template's name, ignoring case";
export const JOB_SEARCH_SCHEMA = { type: 'string' as const, minLength: 1, maxLength: JOB_NAME_MAX };

export class ListRecipientsQuery extends PageQuery {
  @IsOptional() @IsOneOf(RECIPIENT_STATUSES) status?: RecipientStatus;
  @IsOptional() @IsGivenOnce() @IsRecipient() phone?: string;
}

/** Page of jobs, for the public API and the console. */
@Answer({
  example: () => {
    const { response } = listJobsV1.sample;
    return { success: true, jobs: response.jobs, pagination: paginationOf(FIRST_PAGE, response) };
  },
})
export class JobList {
  @ListOf(() => JobRecord) jobs: JobRecord[];
  @Nested(() => Pagination) pagination: Pagination;
}

/** Recipient of a job in the API's format (spec §8.5.3), with the upstream id under both its names. */
export class JobRecipient extends MessageLabels {
  @IsInt() index: number;
  @Doc('Phone number or user id from the request; null once the contact has been erased')
  @OrNull()
  @IsString()
  phone: string | null;
  @IsIn(RECIPIENT_STATUSES) status: RecipientStatus;
  @Doc("The service's ID of the message") @OrNull() @IsString() id: string | null;
  @Doc('ID assigned by the upstream platform') @OrNull() @IsString() @Either(UPSTREAM_MESSAGE_ID) message_id:
    | string
    | null;
  @Doc('Deprecated: use `message_id`, which has the same value', { deprecated: true })
  @OrNull()
  @IsString()
  @Either(UPSTREAM_MESSAGE_ID)
  messageId: string | null;
  @Doc('Business number that sent the message; null before the first send') @OrNull() @IsString() from: string | null;
  @OrNull() @Nested(() => Failure) error: Failure | null;
  @OrNull() @IsTime() acceptedAt: string | null;
  @OrNull() @IsTime() sentAt: string | null;
  @OrNull() @IsTime() deliveredAt: string | null;
  @OrNull() @IsTime() readAt: string | null;
  @OrNull() @IsTime() failedAt: string | null;
}

/** Page of a job's recipients. */
@Answer({
  example: () => {
    const { response } = listRecipientsV1.sample;
    return {
      success: true,
      recipients: response.recipients.map(recipientItem),
      pagination: paginationOf(FIRST_PAGE, response),
    };
  },
})
export class JobRecipientList {
  @ListOf(() => JobRecipient) recipients: JobRecipient[];
  @Nested(() => Pagination) pagination: Pagination;
}

/** Returns the reason why a recipient was rejected or failed, in the format of a message's error; otherwise null. */
export function failureOfRecipient({ error, refusal }: Pick<RecipientRecord, 'error' | 'refusal'>): Failure | null {
  if (error) return failureOf(error);
  return refusal ? failureOfRefusal(refusal) : null;
}

/** Converts a recipient to the API's format. */
export function recipientItem(record: RecipientRecord): JobRecipient {
  const { upstreamId, refusal, error, from = null, values: _values, ...others } = declaredOf(RecipientRecord, record);
  return {
    ...others,
    ...labelsOf(others),
    message_id: upstreamId,
    messageId: upstreamId,
    from,
    error: failureOfRecipient({ error, refusal }),
  };
}
