import {
  IsIn,
  IsInt,
  IsISO8601,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { Answer, BodySchema, Doc, IsTime, ListOf, Nested, OrNull } from '../body-docs';
import { command, task } from '../message-contract';
import { IsStorableText } from '../validation';
import {
  WEBHOOK_DELIVERY_STATES,
  WEBHOOK_ERROR_CLASSES,
  WEBHOOK_EVENT_KINDS,
  WebhookDeliveryRecord,
  type WebhookDeliveryState,
  type WebhookErrorClass,
  type WebhookEventKind,
  WebhookEventRecord,
  webhookSamples,
} from './webhook-records';

/** Delays of the four webhook retries, in seconds (spec §11.5.2). */
export const WEBHOOK_RETRY_DELAYS_SECONDS = [5, 30, 300, 1800] as const;
/**
 * Further delays of the extended schedule in seconds: 2, 6, 12, 24 and 24 hours. An event is retried for just under
 * three days (spec §11.5.5).
 */
export const WEBHOOK_EXTENDED_DELAYS_SECONDS = [7_200, 21_600, 43_200, 86_400, 86_400] as const;

/** Reference to a row of `deliveries`; the row is authoritative, not this message. */
export class DeliverEventV1 {
  @IsString() deliveryId: string;
}

export const deliverEventV1 = task({
  name: 'webhooks.deliver-event.v1',
  owner: 'webhooks',
  description: "Makes the next attempt of a delivery when it is due: one POST to the customer's endpoint.",
  body: DeliverEventV1,
  delaysSeconds: WEBHOOK_RETRY_DELAYS_SECONDS,
  sample: { deliveryId: 'dlv_01jd0000000000000000000000' },
});

export class ListEventsCommand {
  @IsString() accountId: string;
  @IsInt() @Min(1) @Max(100) limit: number;
  /** Position after the last event of the previous page. */
  @IsOptional() @IsString() @IsStorableText() @MaxLength(100) cursor?: string;
  /** Returns events with a delivery in this state. For `dropped`, only deliveries that have not been replayed. */
  @IsOptional() @IsIn(WEBHOOK_DELIVERY_STATES) state?: WebhookDeliveryState;
  @IsOptional() @IsIn(WEBHOOK_EVENT_KINDS) kind?: WebhookEventKind;
  /** Returns events that report this status. */
  @IsOptional() @IsString() @IsStorableText() @MaxLength(50) status?: string;
  /** Returns events with a delivery to this endpoint. */
  @IsOptional() @IsString() @IsStorableText() @MaxLength(255) endpointId?: string;
  /** Returns events with a delivery attempt that failed for this reason. */
  @IsOptional() @IsIn(WEBHOOK_ERROR_CLASSES) errorClass?: WebhookErrorClass;
  /** Returns events recorded at or after this time. */
  @IsOptional() @IsISO8601() since?: string;
  /** Returns events recorded before this time. */
  @IsOptional() @IsISO8601() until?: string;
  @IsOptional() @IsString() @IsStorableText() @MaxLength(255) messageId?: string;
  /** Event id, message id, or prefix of a phone number or template name. */
  @IsOptional() @IsString() @IsStorableText() @MinLength(2) @MaxLength(255) search?: string;
}

@Answer({ name: 'WebhookEventList' })
export class ListEventsReply {
  @ListOf(() => WebhookEventRecord) events: WebhookEventRecord[];
  /** Position of the next page; null on the last page. */
  @OrNull() @IsString() nextCursor: string | null;
}

export const listEventsV1 = command({
  name: 'webhooks.list-events.v1',
  owner: 'webhooks',
  description: "Returns one page of an account's webhook events with their deliveries, newest first.",
  request: ListEventsCommand,
  response: ListEventsReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: 16_384,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      limit: 20,
      state: 'dropped',
      since: '2026-03-02T00:00:00.000Z',
    },
    response: {
      events: [{ ...webhookSamples.event, kind: 'message_status', deliveries: [webhookSamples.delivery] }],
      nextCursor: null,
    },
  },
});

/** Delivery attempt: request and response. */
@BodySchema({ name: 'WebhookAttempt' })
export class WebhookAttemptRecord {
  @IsInt() attempt: number;
  @IsString() url: string;
  @Doc('Request headers, without the signatures') @IsObject() requestHeaders: Record<string, string>;
  @IsTime() startedAt: string;
  /** Null while the request is in flight, or if the process crashed before storing the result. */
  @OrNull() @IsTime() finishedAt: string | null;
  @OrNull() @IsInt() durationMs: number | null;
  @OrNull() @IsInt() statusCode: number | null;
  @Doc(
    'Error class: dns, connect, tls, timeout, status, reset (closed or reset before a response arrived), body (incomplete response or invalid HTTP) or blocked (rejected by the URL guard); null on success',
  )
  @OrNull()
  @IsString()
  errorClass: string | null;
  @Doc('First KiB of the response body') @OrNull() @IsString() answer: string | null;
}

export class WebhookDeliveryDetail extends WebhookDeliveryRecord {
  @ListOf(() => WebhookAttemptRecord) attempts: WebhookAttemptRecord[];
}

export class WebhookEventDetail extends WebhookEventRecord {
  @Doc('Exact request body') @IsString() body: string;
  @ListOf(() => WebhookDeliveryDetail)
  declare deliveries: WebhookDeliveryDetail[];
}

export class GetEventCommand {
  @IsString() accountId: string;
  @IsString() eventId: string;
}

@Answer({ name: 'WebhookEventAnswer' })
export class GetEventReply {
  @Nested(() => WebhookEventDetail) event: WebhookEventDetail;
}

export const getEventV1 = command({
  name: 'webhooks.get-event.v1',
  owner: 'webhooks',
  description: 'Returns a webhook event with its body, its deliveries, and the request and response of every attempt.',
  request: GetEventCommand,
  response: GetEventReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', eventId: 'evt_01jd0000000000000000000000' },
    response: {
      event: {
        ...webhookSamples.event,
        kind: 'message_status',
        body: '{"event":"message_status","messageId":"wamid.OUT","eventId":"evt_01jd0000000000000000000000"}',
        deliveries: [
          {
            ...webhookSamples.delivery,
            attempts: [
              {
                attempt: 1,
                url: 'https://example.com/hook',
                requestHeaders: { 'X-Service-Event-Id': 'evt_01jd0000000000000000000000', 'X-Service-Attempt': '1' },
                startedAt: '2026-03-02T10:15:04.210Z',
                finishedAt: '2026-03-02T10:15:04.260Z',
                durationMs: 50,
                statusCode: 500,
                errorClass: 'status',
                answer: 'out of order',
              },
            ],
          },
        ],
      },
    },
  },
});
