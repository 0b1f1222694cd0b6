import { Type } from 'class-transformer';
import { ArrayMinSize, IsArray, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { IsStorableText } from '../validation';
import {
  WEBHOOK_ACCEPT_STATUSES,
  WEBHOOK_EVENT_KINDS,
  WEBHOOK_RETRY_SCHEDULES,
  type WebhookAcceptStatuses,
  WebhookEndpointRecord,
  type WebhookEventKind,
  type WebhookRetrySchedule,
  webhookSamples,
} from '../webhook-records';

export class CreateEndpointCommand {
  @IsString() accountId: string;
  @IsString() @IsStorableText() @MaxLength(2000) url: string;
  /** Sent back to the endpoint in the verification challenge (spec §11.1.2). Encrypted with ENCRYPTION_KEY. */
  @IsString() sealedVerifyToken: string;
  /** The kinds of events it receives; absent for all. */
  @IsOptional() @IsArray() @ArrayMinSize(1) @IsIn(WEBHOOK_EVENT_KINDS, { each: true }) kinds?: WebhookEventKind[];
  /** Most requests in flight at a time; absent for the installation's default. */
  @IsOptional() @IsInt() @Min(1) @Max(100) maxInFlight?: number;
  /** Absent: only 200 is a success, and there are five attempts. */
  @IsOptional() @IsIn(WEBHOOK_ACCEPT_STATUSES) acceptStatuses?: WebhookAcceptStatuses;
  @IsOptional() @IsIn(WEBHOOK_RETRY_SCHEDULES) retrySchedule?: WebhookRetrySchedule;
}

export class CreateEndpointReply {
  @ValidateNested() @Type(() => WebhookEndpointRecord) endpoint: WebhookEndpointRecord;
  /** The signing secret, encrypted with ENCRYPTION_KEY: shown once to the owner. */
  @IsString() sealedSecret: string;
}

export const createEndpointV1 = command({
  name: 'webhooks.create-endpoint.v1',
  owner: 'webhooks',
  description: 'Runs the URL guard and the verification challenge and, when both pass, adds a webhook endpoint to the account.',
  request: CreateEndpointCommand,
  response: CreateEndpointReply,
  changes: true,
  timeoutMs: 15_000,
  maxBytes: 32_768,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      url: 'https://example.com/hook',
      sealedVerifyToken: 'v1.c2VhbGVk',
      kinds: ['message', 'message_status'],
    },
    response: { endpoint: webhookSamples.endpoint, sealedSecret: 'v1.c2VhbGVk' },
  },
});
