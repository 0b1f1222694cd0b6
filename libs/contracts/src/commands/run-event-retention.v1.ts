import { IsBoolean, IsInt, IsOptional, IsString } from 'class-validator';
import { command } from '../message-contract';

export class RunEventRetentionCommand {
  /** One account only; every account with days of its own when absent. */
  @IsOptional() @IsString() accountId?: string;
  /** Counts what would go, and changes nothing. */
  @IsBoolean() dryRun: boolean;
}

export class RunEventRetentionReply {
  /** Events that went in this step, or would go in all. */
  @IsInt() events: number;
  /** False: ask again, there is more that is too old. */
  @IsBoolean() done: boolean;
}

export const runEventRetentionV1 = command({
  name: 'webhooks.run-event-retention.v1',
  owner: 'webhooks',
  description:
    "Removes a bounded part of the webhook events that are older than their accounts' days, with their deliveries and attempts; what still waits to be delivered stays.",
  request: RunEventRetentionCommand,
  response: RunEventRetentionReply,
  changes: true,
  timeoutMs: 60_000,
  sample: { request: { dryRun: false }, response: { events: 134, done: true } },
});
