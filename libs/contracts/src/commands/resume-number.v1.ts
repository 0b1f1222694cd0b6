import { IsString } from 'class-validator';
import { command } from '../message-contract';
import { IsPhone } from '../validation';

export class ResumeNumberCommand {
  @IsString() accountId: string;
  @IsString() @IsPhone() phoneNumber: string;
}

export class ResumeNumberReply {
  @IsString() id: string;
  @IsString() phoneNumber: string;
  /** The upstream's own status of the number. */
  @IsString() status: string;
}

export const resumeNumberV1 = command({
  name: 'messaging.resume-number.v1',
  owner: 'messaging',
  description: 'Lets a number send again that the upstream platform had refused for its credentials or standing; no harm when it was not stopped.',
  request: ResumeNumberCommand,
  response: ResumeNumberReply,
  changes: true,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', phoneNumber: '15550783881' },
    response: { id: 'num_01jd0000000000000000000000', phoneNumber: '15550783881', status: 'CONNECTED' },
  },
});
