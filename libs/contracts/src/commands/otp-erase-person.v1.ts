import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsInt, IsString } from 'class-validator';
import { command } from '../message-contract';
import { IsPhone } from '../validation';

export class OtpErasePersonCommand {
  @IsString() accountId: string;
  /** Every spelling of the person's number. */
  @IsArray() @ArrayMinSize(1) @ArrayMaxSize(100) @IsPhone({ each: true }) phones: string[];
  /** Counts what would go, and changes nothing. */
  @IsBoolean() dryRun: boolean;
}

export class OtpErasePersonReply {
  /** Rows that went in this step, or would go in all. */
  @IsInt() rows: number;
  /** False: ask again, there is more to erase. */
  @IsBoolean() done: boolean;
}

export const otpErasePersonV1 = command({
  name: 'otp.erase-person.v1',
  owner: 'otp',
  description: 'Erases a bounded part of what the one-time codes of an account left about phone numbers; a code that is under way can no longer be verified.',
  request: OtpErasePersonCommand,
  response: OtpErasePersonReply,
  changes: true,
  timeoutMs: 10_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000', phones: ['919812345678'], dryRun: false }, response: { rows: 3, done: true } },
});
