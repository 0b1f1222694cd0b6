import { Type } from 'class-transformer';
import { IsIn, IsOptional, IsString, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { MESSAGE_STATUSES, MessageError } from '../message-types';

/** What may be known of a send: that there is none, that its outcome is still unknown, or the message's status. */
export const SEND_STATES = ['none', 'unknown', ...MESSAGE_STATUSES] as const;
export type SendState = (typeof SEND_STATES)[number];

export class GetSendCommand {
  @IsString() accountId: string;
  @IsString() messageId: string;
}

export class GetSendReply {
  @IsIn(SEND_STATES) state: SendState;
  /** The upstream platform's identifier, once it gave one. */
  @IsOptional() @IsString() upstreamId: string | null;
  @IsOptional() @ValidateNested() @Type(() => MessageError) error: MessageError | null;
}

export const getSendV1 = command({
  name: 'messaging.get-send.v1',
  owner: 'messaging',
  askers: ['jobs', 'otp'],
  description: 'What became of a send, for a service whose own call of it got no answer.',
  request: GetSendCommand,
  response: GetSendReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', messageId: 'msg_01jd0000000000000000000000' },
    response: { state: 'accepted', upstreamId: 'wamid.OUT', error: null },
  },
});
