import { createJobV1, type ErrorCode, getJobV1, JOB_STATUSES, listJobsV1, listRecipientsV1, PAUSE_REASONS, RECIPIENT_STATUSES } from '@switchboard/contracts';
import { paginationOf } from '../lists/pagination';
import { clientRef, from, requestPerType, SEND_ERRORS } from '../messages/send.schemas';
import { integer, list, object, oneOfTexts, orNull, phone, ref, type Schema, success, text, time } from '../reference/schema';
import { recipientItem } from './recipient-item';

/** What a bulk call can be refused with, besides what every call and every body can. */
export const BULK_ERRORS = [
  ...SEND_ERRORS.filter((code) => !['FILE_INVALID', 'UNSUPPORTED_MEDIA', 'RECIPIENT_OPTED_OUT', 'WINDOW_CLOSED'].includes(code)),
  'BULK_LIMIT_EXCEEDED',
] satisfies ErrorCode[];

const count = (description?: string): Schema => ({ ...integer, ...(description !== undefined && { description }) });
const variables: Schema = {
  description: "Fill the template body's variables, in their order or by their names",
  oneOf: [list(text(undefined, { maxLength: 1024 })), { type: 'object', additionalProperties: true, example: { '1': 'A-17' } }],
};
const recipient: Schema = {
  oneOf: [
    phone,
    object({ to: phone, variables, components: list(ref('TemplateComponent')), clientRef }, { optional: ['variables', 'components', 'clientRef'] }),
  ],
};
const rowError = object({ index: count('Position among the recipients, from 0, or the row of the sheet'), phone: text(), code: text(), message: text() });
const counts = {
  total: count('All that were given: the sum of the counts that follow'),
  pending: count('Not sent yet, or sent without a known outcome'),
  accepted: integer,
  sent: integer,
  delivered: integer,
  read: integer,
  failed: integer,
  cancelled: integer,
  rejected: count('Refused before anything was sent'),
  duplicates: count('Numbers that were given before'),
};
const { response: jobs } = listJobsV1.sample;
const { response: recipients } = listRecipientsV1.sample;
const FIRST_PAGE = { page: 1, limit: 20 };

export const jobSchemas = {
  ...requestPerType('BulkRequest', {
    prefix: 'Bulk',
    to: { recipients: list(recipient) },
    options: {
      from,
      scheduledAt: { ...time, description: 'Begin then: within the next 35 days; at once when absent' },
      expireAt: { ...time, description: 'The job expires then: recipients that it has not reached fail. A time in the future, after `scheduledAt`, at most 70 days ahead; without it the job does not expire. The time that a job is paused does not count' },
    },
    example: { recipients: ['919812345678', { to: '919812345679', clientRef: 'order-7781' }], ...createJobV1.sample.request.message },
  }),
  CreatedJob: object(
    {
      ...{ success, jobId: text(), status: oneOfTexts(JOB_STATUSES) },
      ...{ total: counts.total, accepted: count('Will be sent to'), rejected: counts.rejected, duplicates: counts.duplicates },
      errors: { ...list(rowError), description: 'The first 100; the list of recipients has all' },
    },
    { example: { success: true, ...createJobV1.sample.response } },
  ),
  Job: object({
    ...{ jobId: text(), type: oneOfTexts(['bulk', 'excel']), status: oneOfTexts(JOB_STATUSES), template: orNull(text()) },
    ...counts,
    pauseReason: { type: ['string', 'null'], enum: [...PAUSE_REASONS, null as unknown as string], description: 'Null while the job is not paused' },
    error: orNull(object({ code: text(), message: text() }, { description: 'Why the job itself could not run' })),
    from: orNull(text('The number that sends')),
    retryOf: orNull(text('The job whose failed recipients this one tries again')),
    ...{ createdAt: time, scheduledAt: orNull(time), startedAt: orNull(time), completedAt: orNull(time) },
    expireAt: { ...orNull(time), description: 'When the job expires: recipients that it has not reached fail then. Null for a job that does not expire. When a pause ends, this time moves by the length of the pause' },
  }),
  JobAnswer: object({ success, job: ref('Job') }, { example: { success: true, ...getJobV1.sample.response } }),
  JobList: object({ success, jobs: list(ref('Job')), pagination: ref('Pagination') }, { example: { success: true, jobs: jobs.jobs, pagination: paginationOf(FIRST_PAGE, jobs) } }),
  JobRecipient: object({
    ...{ index: integer, phone: orNull(text('As it was given; null once the person was erased')), status: oneOfTexts(RECIPIENT_STATUSES) },
    ...{ id: orNull(text('Ours')), message_id: orNull(text("The upstream platform's identifier")), messageId: orNull(text('The same as message_id')), clientRef: orNull(text()) },
    error: orNull(ref('MessageError')),
    ...{ acceptedAt: orNull(time), sentAt: orNull(time), deliveredAt: orNull(time), readAt: orNull(time), failedAt: orNull(time) },
  }),
  JobRecipientList: object(
    { success, recipients: list(ref('JobRecipient')), pagination: ref('Pagination') },
    { example: { success: true, recipients: recipients.recipients.map(recipientItem), pagination: paginationOf(FIRST_PAGE, recipients) } },
  ),
} satisfies Record<string, Schema>;
