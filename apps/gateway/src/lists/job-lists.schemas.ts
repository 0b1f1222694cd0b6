import {
  getJobV1,
  JOB_STATUSES,
  listJobsV1,
  listRecipientsV1,
  PAUSE_REASONS,
  RECIPIENT_STATUSES,
} from '@switchboard/contracts';
import { integer, list, object, oneOfTexts, orNull, ref, type Schema, success, text, time } from '../openapi/schema';
import { paginationOf } from './pagination';
import { recipientItem } from './recipient-item';

const count = (description: string): Schema => ({ ...integer, description });

/** How many recipients of a job are in which state. */
export const counts = {
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

/** Jobs and their recipients, as both the public API and the console show them. */
export const jobListSchemas = {
  Job: object({
    ...{
      jobId: text(),
      type: oneOfTexts(['bulk', 'excel']),
      status: oneOfTexts(JOB_STATUSES),
      template: orNull(text()),
    },
    ...counts,
    pauseReason: {
      type: ['string', 'null'],
      enum: [...PAUSE_REASONS, null as unknown as string],
      description: 'Null while the job is not paused',
    },
    error: orNull(object({ code: text(), message: text() }, { description: 'Why the job itself could not run' })),
    from: orNull(text('The number that sends')),
    retryOf: orNull(text('The job whose failed recipients this one tries again')),
    ...{ createdAt: time, scheduledAt: orNull(time), startedAt: orNull(time), completedAt: orNull(time) },
    expireAt: {
      ...orNull(time),
      description:
        'When the job expires: recipients that it has not reached fail then. Null for a job that does not expire. When a pause ends, this time moves by the length of the pause',
    },
  }),
  JobAnswer: object({ success, job: ref('Job') }, { example: { success: true, ...getJobV1.sample.response } }),
  JobList: object(
    { success, jobs: list(ref('Job')), pagination: ref('Pagination') },
    { example: { success: true, jobs: jobs.jobs, pagination: paginationOf(FIRST_PAGE, jobs) } },
  ),
  JobRecipient: object({
    ...{
      index: integer,
      phone: orNull(text('As it was given; null once the person was erased')),
      status: oneOfTexts(RECIPIENT_STATUSES),
    },
    ...{
      id: orNull(text('Ours')),
      message_id: orNull(text("The upstream platform's identifier")),
      messageId: orNull(text('The same as message_id')),
      clientRef: orNull(text()),
    },
    error: orNull(ref('MessageError')),
    ...{
      acceptedAt: orNull(time),
      sentAt: orNull(time),
      deliveredAt: orNull(time),
      readAt: orNull(time),
      failedAt: orNull(time),
    },
  }),
  JobRecipientList: object(
    { success, recipients: list(ref('JobRecipient')), pagination: ref('Pagination') },
    {
      example: {
        success: true,
        recipients: recipients.recipients.map(recipientItem),
        pagination: paginationOf(FIRST_PAGE, recipients),
      },
    },
  ),
} satisfies Record<string, Schema>;
