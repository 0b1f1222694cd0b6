import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsObject, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { MessageContent } from '../commands/send-message.v1';
import { CONTENT_BYTES, PART_BYTES, task } from '../message-contract';
import { TemplateComponent } from '../message-types';
import { IsPhone, IsStorableText } from '../validation';

/** Recipients of one task at most. */
export const JOB_MESSAGES_MAX = 100;

/** One recipient of a job and the message that is sent to it. */
export class JobRecipient {
  /** Chosen by the job and kept with the recipient: whatever is delivered twice is sent once. */
  @IsString() messageId: string;
  @IsString() @IsPhone() to: string;
  /** Instead of the components of the job's template. */
  @IsOptional() @IsArray() @ArrayMaxSize(50) @ValidateNested({ each: true }) @Type(() => TemplateComponent) components?: TemplateComponent[];
  @IsOptional() @IsString() @IsStorableText() @MaxLength(128) clientRef?: string;
}

export class SendJobMessagesV1 {
  @IsString() accountId: string;
  @IsString() jobId: string;
  /** `from` is the job's number. */
  @IsObject() @ValidateNested() @Type(() => MessageContent) message: MessageContent;
  @IsArray() @ArrayMinSize(1) @ArrayMaxSize(JOB_MESSAGES_MAX) @ValidateNested({ each: true }) @Type(() => JobRecipient) recipients: JobRecipient[];
}

export const sendJobMessagesV1 = task({
  name: 'messaging.send-job-messages.v1',
  owner: 'messaging',
  senders: ['jobs'],
  description: 'Sends one message to some recipients of a bulk job; `messaging.job-messages.changed.v1` tells what became of each.',
  body: SendJobMessagesV1,
  delaysSeconds: [],
  // Each holds many recipients and, at its ends, one of the few connections to the database.
  prefetch: 8,
  maxBytes: CONTENT_BYTES + PART_BYTES,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    jobId: 'job_01jd0000000000000000000000',
    message: { type: 'template', from: '15550783881', template: { name: 'order_update', language: { code: 'en_US' } } },
    recipients: [{ messageId: 'msg_01jd0000000000000000000000', to: '919812345678', clientRef: 'order-7781' }],
  },
});
