import { IsBoolean, IsInt, IsOptional, IsString } from 'class-validator';
import { command } from '../message-contract';
import { IsPhone } from '../validation';

export class RemoveNumberCommand {
  @IsString() accountId: string;
  @IsString() @IsPhone() phoneNumber: string;
  /** Says what would happen, and changes nothing. */
  @IsBoolean() dryRun: boolean;
}

export class RemoveNumberReply {
  @IsString() id: string;
  @IsString() phoneNumber: string;
  /** Messages of this number whose outcome is not known yet: while there are some it stays. */
  @IsInt() unsettled: number;
  /** Received files that were not fetched from upstream yet, and are lost with the number's credentials. */
  @IsInt() unfetchedMedia: number;
  /** The number that sends from then on what names no number; null when the account has no other one. */
  @IsOptional() @IsString() primary: string | null;
}

export const removeNumberV1 = command({
  name: 'messaging.remove-number.v1',
  owner: 'messaging',
  description:
    "Takes a business number away from an account and forgets its credentials; its messages stay readable, and it can be added again, to any account. INVALID_PARAMETER while the outcome of some of its messages is unknown.",
  request: RemoveNumberCommand,
  response: RemoveNumberReply,
  changes: true,
  timeoutMs: 10_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', phoneNumber: '15550783881', dryRun: true },
    response: { id: 'num_01jd0000000000000000000000', phoneNumber: '15550783881', unsettled: 0, unfetchedMedia: 1, primary: '15550783882' },
  },
});
