import { getJobV1, JOB_STATUSES } from '@switchboard/contracts';
import { integer, object, oneOfTexts, orNull, ref, type Schema, success, text, time } from '../reference/schema';

export const jobSchemas = {
  Job: object({
    jobId: text(),
    type: oneOfTexts(['bulk', 'excel']),
    status: oneOfTexts(JOB_STATUSES),
    template: orNull(text()),
    total: integer,
    createdAt: time,
  }),
  JobAnswer: object({ success, job: ref('Job') }, { example: { success: true, ...getJobV1.sample.response } }),
} satisfies Record<string, Schema>;
