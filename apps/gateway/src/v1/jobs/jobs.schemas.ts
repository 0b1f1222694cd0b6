import { createJobV1, type ErrorCode, JOB_STATUSES } from '@switchboard/contracts';
import { counts, jobListSchemas } from '../../lists/job-lists.schemas';
import { clientRef, from, requestPerType, SEND_ERRORS } from '../messages/send.schemas';
import { integer, list, object, oneOfTexts, phone, ref, type Schema, success, text, time } from '../../openapi/schema';

/** What a bulk call can be refused with, besides what every call and every body can. */
export const BULK_ERRORS = [
  ...SEND_ERRORS.filter(
    (code) => !['FILE_INVALID', 'UNSUPPORTED_MEDIA', 'RECIPIENT_OPTED_OUT', 'WINDOW_CLOSED'].includes(code),
  ),
  'BULK_LIMIT_EXCEEDED',
] satisfies ErrorCode[];

const count = (description?: string): Schema => ({ ...integer, ...(description !== undefined && { description }) });
const variables: Schema = {
  description: "Fill the template body's variables, in their order or by their names",
  oneOf: [
    list(text(undefined, { maxLength: 1024 })),
    { type: 'object', additionalProperties: true, example: { '1': 'A-17' } },
  ],
};
const recipient: Schema = {
  oneOf: [
    phone,
    object(
      { to: phone, variables, components: list(ref('TemplateComponent')), clientRef },
      { optional: ['variables', 'components', 'clientRef'] },
    ),
  ],
};
const rowError = object({
  index: count('Position among the recipients, from 0, or the row of the sheet'),
  phone: text(),
  code: text(),
  message: text(),
});
export const jobSchemas = {
  ...requestPerType('BulkRequest', {
    prefix: 'Bulk',
    to: { recipients: list(recipient) },
    options: {
      from,
      scheduledAt: { ...time, description: 'Begin then: within the next 35 days; at once when absent' },
      expireAt: {
        ...time,
        description:
          'The job expires then: recipients that it has not reached fail. A time in the future, after `scheduledAt`, at most 70 days ahead; without it the job does not expire. The time that a job is paused does not count',
      },
    },
    example: {
      recipients: ['919812345678', { to: '919812345679', clientRef: 'order-7781' }],
      ...createJobV1.sample.request.message,
    },
  }),
  CreatedJob: object(
    {
      ...{ success, jobId: text(), status: oneOfTexts(JOB_STATUSES) },
      ...{
        total: counts.total,
        accepted: count('Will be sent to'),
        rejected: counts.rejected,
        duplicates: counts.duplicates,
      },
      errors: { ...list(rowError), description: 'The first 100; the list of recipients has all' },
    },
    { example: { success: true, ...createJobV1.sample.response } },
  ),
  ...jobListSchemas,
} satisfies Record<string, Schema>;
