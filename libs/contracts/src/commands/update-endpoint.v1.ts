import { Type } from 'class-transformer';
import { ArrayMinSize, IsArray, IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min, ValidateNested } from 'class-validator';
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

/** What is absent stays as it is. */
export class UpdateEndpointCommand {
  @IsString() accountId: string;
  @IsString() endpointId: string;
  /** A new URL must pass the guard and the challenge, with the new verify token or else the old one. */
  @IsOptional() @IsString() @IsStorableText() @MaxLength(2000) url?: string;
  /** Encrypted with ENCRYPTION_KEY; a new one is tried by a challenge, too. */
  @IsOptional() @IsString() sealedVerifyToken?: string;
  @IsOptional() @IsArray() @ArrayMinSize(1) @IsIn(WEBHOOK_EVENT_KINDS, { each: true }) kinds?: WebhookEventKind[];
  /** Back to all kinds, those to come included; `kinds` must be absent. */
  @IsOptional() @IsBoolean() allKinds?: boolean;
  @IsOptional() @IsInt() @Min(1) @Max(100) maxInFlight?: number;
  @IsOptional() @IsIn(WEBHOOK_ACCEPT_STATUSES) acceptStatuses?: WebhookAcceptStatuses;
  @IsOptional() @IsIn(WEBHOOK_RETRY_SCHEDULES) retrySchedule?: WebhookRetrySchedule;
}

export class UpdateEndpointReply {
  @ValidateNested() @Type(() => WebhookEndpointRecord) endpoint: WebhookEndpointRecord;
}

export const updateEndpointV1 = command({
  name: 'webhooks.update-endpoint.v1',
  owner: 'webhooks',
  description: "Changes a webhook endpoint's URL, verify token, kinds of events or limit; a new URL must pass guard and challenge.",
  request: UpdateEndpointCommand,
  response: UpdateEndpointReply,
  changes: true,
  timeoutMs: 15_000,
  maxBytes: 32_768,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', endpointId: 'ep_01jd0000000000000000000000', url: 'https://example.com/new', maxInFlight: 5 },
    response: { endpoint: { ...webhookSamples.endpoint, url: 'https://example.com/new', maxInFlight: 5 } },
  },
});
