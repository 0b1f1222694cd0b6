import { ArrayMaxSize, IsBoolean, IsInt, IsOptional, IsString } from 'class-validator';
import { command } from '../message-contract';
import { IsPhone } from '../validation';

export class ErasePersonCommand {
  @IsString() accountId: string;
  @IsPhone() phone: string;
  /** Other names of the same person: other spellings of the number, other numbers, the upstream's user ids. */
  @IsOptional() @IsString({ each: true }) @ArrayMaxSize(100) alsoKnownAs?: string[];
  /** Counts what would go, and changes nothing. */
  @IsBoolean() dryRun: boolean;
}

export class ErasePersonReply {
  /** Events that went in this step, or would go in all. */
  @IsInt() events: number;
  /** False: ask again, there is more to erase. */
  @IsBoolean() done: boolean;
}

export const erasePersonV1 = command({
  name: 'webhooks.erase-person.v1',
  owner: 'webhooks',
  description: "Erases a bounded part of an account's webhook events about a person, by phone number and other names, with their deliveries and attempts; what waits is not sent any more.",
  request: ErasePersonCommand,
  response: ErasePersonReply,
  changes: true,
  timeoutMs: 30_000,
  maxBytes: 65_536,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000', phone: '919812345678', dryRun: false }, response: { events: 134, done: true } },
});
