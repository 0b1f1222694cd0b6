import { IsArray, IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { AddedLater, BodySchema, Doc, IsTime, ListOf, OrNull } from '../body-docs';

/** Kinds of events that customers receive (spec §11.3). */
export const WEBHOOK_EVENT_KINDS = [
  'message',
  'message_status',
  'template_status',
  'phone_number_quality',
  'job_completed',
  'job_paused',
  'job_failed',
  'message_edited',
  'message_deleted',
  'contact_changed',
  'call',
  'account_notice',
  'message_held',
  'message_echo',
] as const;
/** Kinds of events about one contact, who is their subject. An erasure deletes them. */
export const PERSONAL_EVENT_KINDS: readonly WebhookEventKind[] = [
  'message',
  'message_status',
  'message_edited',
  'message_deleted',
  'contact_changed',
  'call',
  'message_held',
  'message_echo',
];
export type WebhookEventKind = (typeof WEBHOOK_EVENT_KINDS)[number];

/**
 * States of a webhook endpoint. `degraded`: all deliveries have failed for a long time, and one request at a time
 * probes for recovery.
 */
export const WEBHOOK_ENDPOINT_STATES = ['enabled', 'degraded', 'paused'] as const;
export type WebhookEndpointState = (typeof WEBHOOK_ENDPOINT_STATES)[number];

export const WEBHOOK_DELIVERY_STATES = ['pending', 'delivered', 'dropped'] as const;
export type WebhookDeliveryState = (typeof WEBHOOK_DELIVERY_STATES)[number];

/**
 * Reasons why a request to a customer's server failed (spec §11.6.1):
 * - `status`: the endpoint's settings do not accept the response's status
 * - `reset`: the connection was closed or reset before a response arrived
 * - `body`: the response was cut off or is not valid HTTP
 * - `blocked`: the URL guard rejected the address
 */
export const WEBHOOK_ERROR_CLASSES = [
  'dns',
  'connect',
  'tls',
  'timeout',
  'status',
  'reset',
  'body',
  'blocked',
] as const;
export type WebhookErrorClass = (typeof WEBHOOK_ERROR_CLASSES)[number];

/** Response statuses that count as a successful delivery. */
export const WEBHOOK_ACCEPT_STATUSES = ['200', '2xx'] as const;
export type WebhookAcceptStatuses = (typeof WEBHOOK_ACCEPT_STATUSES)[number];

/** Retry schedules; `extended` continues after the five attempts of `standard`. */
export const WEBHOOK_RETRY_SCHEDULES = ['standard', 'extended'] as const;
export type WebhookRetrySchedule = (typeof WEBHOOK_RETRY_SCHEDULES)[number];

/** API descriptions of an endpoint's settings. */
export const ENDPOINT_DOCS = {
  acceptStatuses: 'Status codes that count as success: only 200, or any from 200 to 299',
  retrySchedule:
    '`standard`: five attempts within 36 minutes. `extended`: five additional attempts, with intervals of 2, 6, 12, 24 and 24 hours',
};

/** Webhook endpoint as shown to its owner, without secrets. Times are ISO 8601 UTC. */
@BodySchema({ name: 'WebhookEndpoint' })
export class WebhookEndpointRecord {
  @IsString() id: string;
  @IsString() url: string;
  @Doc('Event kinds that the endpoint receives; null for all kinds, including future ones')
  @OrNull()
  @IsArray()
  @IsIn(WEBHOOK_EVENT_KINDS, { each: true })
  kinds: WebhookEventKind[] | null;
  @Doc('Maximum concurrent requests; null for the default of the installation')
  @OrNull()
  @IsInt()
  @Min(1)
  @Max(100)
  maxInFlight: number | null;
  @Doc(ENDPOINT_DOCS.acceptStatuses)
  @AddedLater()
  @IsIn(WEBHOOK_ACCEPT_STATUSES)
  acceptStatuses?: WebhookAcceptStatuses;
  @Doc(ENDPOINT_DOCS.retrySchedule) @AddedLater() @IsIn(WEBHOOK_RETRY_SCHEDULES) retrySchedule?: WebhookRetrySchedule;
  @IsIn(WEBHOOK_ENDPOINT_STATES) state: WebhookEndpointState;
  /** Time since which all attempted deliveries have failed. */
  @OrNull() @IsTime() failingSince: string | null;
  @Doc('End of the secret rotation, until which both secrets sign; null if there is none')
  @OrNull()
  @IsTime()
  rotationEndsAt: string | null;
  @IsTime() createdAt: string;
  @IsTime() updatedAt: string;
}

/** Delivery of one event to one endpoint. */
@BodySchema({ name: 'WebhookDelivery' })
export class WebhookDeliveryRecord {
  @IsString() id: string;
  @IsString() endpointId: string;
  @IsIn(WEBHOOK_DELIVERY_STATES) state: WebhookDeliveryState;
  @IsInt() attemptsMade: number;
  /** Null once the delivery has succeeded or was dropped. */
  @OrNull() @IsTime() nextAttemptAt: string | null;
  @IsTime() createdAt: string;
  @OrNull() @IsTime() finishedAt: string | null;
  /** ID of the replay that created the delivery. */
  @OrNull() @IsString() replayId: string | null;
  @Doc('ID of the delivery that a replay created from this one') @OrNull() @IsString() replayedAs: string | null;
  @Doc('HTTP status of the last completed attempt')
  @AddedLater()
  @OrNull()
  @IsInt()
  lastStatusCode?: number | null;
  @Doc('Error class of the last completed attempt; null on success')
  @AddedLater()
  @OrNull()
  @IsString()
  lastErrorClass?: string | null;
}

/** Event in the log, without its body. */
@BodySchema({ name: 'WebhookEvent' })
export class WebhookEventRecord {
  @IsString() id: string;
  @IsIn(WEBHOOK_EVENT_KINDS) kind: WebhookEventKind;
  @OrNull() @IsString() messageId: string | null;
  @Doc('Subject of the event: phone number of the other party, template name, one of your own numbers, or job ID')
  @OrNull()
  @IsString()
  subject: string | null;
  @Doc(
    'Status that the event reports, such as `read` or `APPROVED`; null if the event reports none, or was stored by a version that did not record it',
  )
  @AddedLater()
  @OrNull()
  @IsString()
  status?: string | null;
  @IsTime() occurredAt: string;
  @IsTime() createdAt: string;
  @ListOf(() => WebhookDeliveryRecord) deliveries: WebhookDeliveryRecord[];
}

/** Sample record of each class, for the samples of the contracts. */
export const webhookSamples = {
  endpoint: {
    id: 'ep_01jd0000000000000000000000',
    url: 'https://example.com/hook',
    kinds: ['message', 'message_status'],
    maxInFlight: null,
    acceptStatuses: '200',
    retrySchedule: 'standard',
    state: 'enabled',
    failingSince: null,
    rotationEndsAt: null,
    createdAt: '2026-03-02T10:00:00.000Z',
    updatedAt: '2026-03-02T10:00:00.000Z',
  } satisfies WebhookEndpointRecord as WebhookEndpointRecord,
  delivery: {
    id: 'dlv_01jd0000000000000000000000',
    endpointId: 'ep_01jd0000000000000000000000',
    state: 'dropped',
    attemptsMade: 5,
    nextAttemptAt: null,
    createdAt: '2026-03-02T10:15:04.200Z',
    finishedAt: '2026-03-02T10:50:39.900Z',
    replayId: null,
    replayedAs: null,
    lastStatusCode: 503,
    lastErrorClass: 'status',
  } satisfies WebhookDeliveryRecord as WebhookDeliveryRecord,
  event: {
    id: 'evt_01jd0000000000000000000000',
    kind: 'message_status',
    messageId: 'wamid.OUT',
    subject: '919812345678',
    status: 'delivered',
    occurredAt: '2026-03-02T10:15:04.120Z',
    createdAt: '2026-03-02T10:15:04.200Z',
  },
};
