import { Type } from 'class-transformer';
import { IsString, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { listMessagesV1, MessageRecord } from './list-messages.v1';

export class GetMessageCommand {
  @IsString() accountId: string;
  /** Ours, or the upstream platform's identifier. */
  @IsString() id: string;
}

export class GetMessageReply {
  @ValidateNested() @Type(() => MessageRecord) message: MessageRecord;
}

const [message] = listMessagesV1.sample.response.messages as [MessageRecord];

/** Refusal: NOT_FOUND (unknown, or of another account). */
export const getMessageV1 = command({
  name: 'messaging.get-message.v1',
  owner: 'messaging',
  description: 'One message of an account, also one whose outcome is not known yet.',
  request: GetMessageCommand,
  response: GetMessageReply,
  changes: false,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000', id: message.id }, response: { message } },
});
