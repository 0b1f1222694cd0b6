import { IsArray, IsBoolean, IsInt, IsOptional, IsString } from 'class-validator';
import { command } from '../message-contract';

export class RunRetentionCommand {
  /** One account only; every account with days set when absent. */
  @IsOptional() @IsString() accountId?: string;
  /** Counts what would go, and changes nothing. */
  @IsBoolean() dryRun: boolean;
}

export class RunRetentionReply {
  /** What went in this step, or what would go in all. */
  @IsInt() messages: number;
  @IsInt() media: number;
  /** Months that were dropped whole, with the messages counted above. */
  @IsArray() @IsString({ each: true }) droppedMonths: string[];
  /** False: ask again, there is more that is too old. */
  @IsBoolean() done: boolean;
}

export const runRetentionV1 = command({
  name: 'messaging.run-retention.v1',
  owner: 'messaging',
  description: "Removes a bounded part of the messages and media that are older than their accounts' days.",
  request: RunRetentionCommand,
  response: RunRetentionReply,
  changes: true,
  timeoutMs: 60_000,
  sample: { request: { dryRun: false }, response: { messages: 5000, media: 12, droppedMonths: ['messages_2025_03'], done: false } },
});
