import { IsString } from 'class-validator';
import { task } from '../message-contract';

/** Published with the new state of the message, in one transaction: then a crash can neither lose nor repeat it. */
export class CodeUndeliveredV1 {
  @IsString() accountId: string;
  /** Our identifier of the message. */
  @IsString() messageId: string;
  /** The upstream platform's. */
  @IsString() upstreamId: string;
}

export const codeUndeliveredV1 = task({
  name: 'otp.code-undelivered.v1',
  owner: 'otp',
  senders: ['messaging'],
  description: 'The upstream platform took a message with a one-time code and could not deliver it, for good.',
  body: CodeUndeliveredV1,
  delaysSeconds: [],
  sample: { accountId: 'acc_01jd0000000000000000000000', messageId: 'msg_01jd0000000000000000000000', upstreamId: 'wamid.HBgMOTE5ODEyMzQ1Njc4' },
});
