import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import { CONTENT_BYTES, PART_BYTES, task } from '../message-contract';
import { MessageError } from '../message-types';
import { SendJobMessagesV1 } from './send-job-messages.v1';

export class FailJobMessagesV1 extends SendJobMessagesV1 {
  /** Why none of them was sent. */
  @IsObject() @ValidateNested() @Type(() => MessageError) error: MessageError;
}

export const failJobMessagesV1 = task({
  name: 'messaging.fail-job-messages.v1',
  owner: 'messaging',
  senders: ['jobs'],
  description: 'Records that messages of a bulk job failed before they were sent, and reports it to the customer. The job knows it already.',
  body: FailJobMessagesV1,
  delaysSeconds: [],
  prefetch: 4,
  maxBytes: CONTENT_BYTES + PART_BYTES,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    jobId: 'job_01jd0000000000000000000000',
    message: { type: 'template', from: '15550783881', template: { name: 'order_update', language: { code: 'en_US' } } },
    recipients: [{ messageId: 'msg_01jd0000000000000000000000', to: '919812345678', clientRef: 'order-7781' }],
    error: { reason: 'JOB_EXPIRED', code: 0, title: 'Job expired', message: "the job's expireAt passed before this recipient was sent to", category: 'other', retriable: true },
  },
});
