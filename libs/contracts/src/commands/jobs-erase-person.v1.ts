import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsInt, IsString } from 'class-validator';
import { command } from '../message-contract';
import { IsPhone } from '../validation';

export class JobsErasePersonCommand {
  @IsString() accountId: string;
  /** Every spelling of the person's number. */
  @IsArray() @ArrayMinSize(1) @ArrayMaxSize(100) @IsPhone({ each: true }) phones: string[];
  /** Counts what would go, and changes nothing. */
  @IsBoolean() dryRun: boolean;
}

export class JobsErasePersonReply {
  /** Rows that lost what is personal in this step, or would lose it in all. */
  @IsInt() recipients: number;
  /** False: ask again, there is more to erase. */
  @IsBoolean() done: boolean;
}

export const jobsErasePersonV1 = command({
  name: 'jobs.erase-person.v1',
  owner: 'jobs',
  description: "Erases a person from an account's jobs, a bounded part at a time: number, variables and reference go, the row goes on to count; who was not reached yet is not sent to any more.",
  request: JobsErasePersonCommand,
  response: JobsErasePersonReply,
  changes: true,
  timeoutMs: 30_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000', phones: ['919812345678'], dryRun: false }, response: { recipients: 3, done: true } },
});
