import { Type } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsISO8601, IsOptional, IsString, Max, MaxLength, Min, MinLength, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { IsStorableText } from '../validation';
import {
  WEBHOOK_DELIVERY_STATES,
  WEBHOOK_EVENT_KINDS,
  type WebhookDeliveryState,
  WebhookEventRecord,
  type WebhookEventKind,
  webhookSamples,
} from '../webhook-records';

export class ListEventsCommand {
  @IsString() accountId: string;
  @IsInt() @Min(1) @Max(100) limit: number;
  /** Continues after the last event of an earlier page. */
  @IsOptional() @IsString() @IsStorableText() @MaxLength(100) cursor?: string;
  /** Events with a delivery in this state. */
  @IsOptional() @IsIn(WEBHOOK_DELIVERY_STATES) state?: WebhookDeliveryState;
  @IsOptional() @IsIn(WEBHOOK_EVENT_KINDS) kind?: WebhookEventKind;
  /** Events with a delivery to this endpoint. */
  @IsOptional() @IsString() @IsStorableText() @MaxLength(255) endpointId?: string;
  /** Recorded at or after this time. */
  @IsOptional() @IsISO8601() since?: string;
  /** Recorded before this time. */
  @IsOptional() @IsISO8601() until?: string;
  @IsOptional() @IsString() @IsStorableText() @MaxLength(255) messageId?: string;
  /** An event's or message's id, or the beginning of a phone number or of a template's name. */
  @IsOptional() @IsString() @IsStorableText() @MinLength(2) @MaxLength(255) search?: string;
}

export class ListEventsReply {
  @IsArray() @ValidateNested({ each: true }) @Type(() => WebhookEventRecord) events: WebhookEventRecord[];
  /** Absent on the last page. */
  @IsOptional() @IsString() nextCursor: string | null;
}

export const listEventsV1 = command({
  name: 'webhooks.list-events.v1',
  owner: 'webhooks',
  description: "One page of an account's webhook events with their deliveries, newest first.",
  request: ListEventsCommand,
  response: ListEventsReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: 16_384,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', limit: 20, state: 'dropped', since: '2026-03-02T00:00:00.000Z' },
    response: { events: [{ ...webhookSamples.event, kind: 'message_status', deliveries: [webhookSamples.delivery] }], nextCursor: null },
  },
});
