import {
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { Answer, BodySchema, Doc, IsTime, ListOf, Nested, OrNull } from '../body-docs';
import { command, event, SMALL_COMMAND_BYTES } from '../message-contract';
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
} from './webhook-records';

export class ListEndpointsCommand {
  @IsString() accountId: string;
}

@Answer({ name: 'WebhookEndpointList' })
export class ListEndpointsReply {
  @ListOf(() => WebhookEndpointRecord) endpoints: WebhookEndpointRecord[];
}

export const listEndpointsV1 = command({
  name: 'webhooks.list-endpoints.v1',
  owner: 'webhooks',
  description: 'Returns all webhook endpoints of an account, oldest first.',
  request: ListEndpointsCommand,
  response: ListEndpointsReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000' },
    response: { endpoints: [webhookSamples.endpoint] },
  },
});

/** Maximum deliveries in an endpoint's statistics, to bound their cost. Only the newest ones are counted. */
export const MOST_FIGURE_DELIVERIES = 500;

/** Delivery statistics of one endpoint. */
@BodySchema({ name: 'WebhookEndpointFigures' })
export class EndpointFigures {
  @IsString() endpointId: string;
  @Doc('Number of successful deliveries') @IsInt() delivered: number;
  @Doc('Number of dropped deliveries') @IsInt() dropped: number;
  @Doc(`Number of deliveries waiting for their next attempt, up to ${MOST_FIGURE_DELIVERIES}`) @IsInt() pending: number;
  @Doc(
    `Whether the statistics cover all deliveries. If false, there were more than ${MOST_FIGURE_DELIVERIES}, and the statistics cover only the newest`,
  )
  @IsBoolean()
  areAll: boolean;
  @Doc('Time of the last successful delivery; null if none of these deliveries succeeded')
  @OrNull()
  @IsTime()
  lastSuccessAt: string | null;
  @Doc("95th percentile of the deliveries' last attempts, in milliseconds; null if no attempt has finished")
  @OrNull()
  @IsInt()
  p95DurationMs: number | null;
}

export class GetEndpointStatisticsCommand {
  @IsString() accountId: string;
  /** Inclusive start of the time range. */
  @IsISO8601() since: string;
}

@Answer({ name: 'WebhookEndpointFigureList' })
export class GetEndpointStatisticsReply {
  @ListOf(() => EndpointFigures) figures: EndpointFigures[];
}

export const getEndpointStatisticsV1 = command({
  name: 'webhooks.get-endpoint-figures.v1',
  owner: 'webhooks',
  description: "Returns delivery statistics of each of an account's endpoints since a time.",
  request: GetEndpointStatisticsCommand,
  response: GetEndpointStatisticsReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', since: '2026-03-02T10:00:00.000Z' },
    response: {
      figures: [
        {
          endpointId: 'ep_01jd0000000000000000000000',
          delivered: 480,
          dropped: 20,
          pending: 3,
          areAll: false,
          lastSuccessAt: '2026-03-02T10:15:04.260Z',
          p95DurationMs: 212,
        },
      ],
    },
  },
});

export class CreateEndpointCommand {
  @IsString() accountId: string;
  @IsString() @IsStorableText() @MaxLength(2000) url: string;
  /** Token that the verification challenge sends to the endpoint (spec §11.1.2), encrypted with ENCRYPTION_KEY. */
  @IsString() sealedVerifyToken: string;
  /** Event kinds that the endpoint receives; all kinds if absent. */
  @IsOptional() @IsArray() @ArrayMinSize(1) @IsIn(WEBHOOK_EVENT_KINDS, { each: true }) kinds?: WebhookEventKind[];
  /** Maximum concurrent requests; defaults to the setting of the installation. */
  @IsOptional() @IsInt() @Min(1) @Max(100) maxInFlight?: number;
  /** Statuses that count as success; defaults to only 200. */
  @IsOptional() @IsIn(WEBHOOK_ACCEPT_STATUSES) acceptStatuses?: WebhookAcceptStatuses;
  @IsOptional() @IsIn(WEBHOOK_RETRY_SCHEDULES) retrySchedule?: WebhookRetrySchedule;
}

export class CreateEndpointReply {
  @Nested(() => WebhookEndpointRecord) endpoint: WebhookEndpointRecord;
  /** Signing secret for the owner, who sees it once; encrypted with ENCRYPTION_KEY. */
  @IsString() sealedSecret: string;
}

export const createEndpointV1 = command({
  name: 'webhooks.create-endpoint.v1',
  owner: 'webhooks',
  description:
    'Runs the URL guard and the verification challenge and, if both pass, adds a webhook endpoint to the account.',
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

/** Absent fields stay unchanged. */
export class UpdateEndpointCommand {
  @IsString() accountId: string;
  @IsString() endpointId: string;
  /**
   * New URL. It must pass the URL guard and the challenge, which uses the new verify token or, if absent, the old one.
   */
  @IsOptional() @IsString() @IsStorableText() @MaxLength(2000) url?: string;
  /** New verify token, encrypted with ENCRYPTION_KEY. It must pass a challenge, too. */
  @IsOptional() @IsString() sealedVerifyToken?: string;
  @IsOptional() @IsArray() @ArrayMinSize(1) @IsIn(WEBHOOK_EVENT_KINDS, { each: true }) kinds?: WebhookEventKind[];
  /** True to subscribe to all kinds, including future ones; `kinds` must then be absent. */
  @IsOptional() @IsBoolean() allKinds?: boolean;
  @IsOptional() @IsInt() @Min(1) @Max(100) maxInFlight?: number;
  @IsOptional() @IsIn(WEBHOOK_ACCEPT_STATUSES) acceptStatuses?: WebhookAcceptStatuses;
  @IsOptional() @IsIn(WEBHOOK_RETRY_SCHEDULES) retrySchedule?: WebhookRetrySchedule;
}

@Answer({ name: 'WebhookEndpointAnswer' })
export class UpdateEndpointReply {
  @Nested(() => WebhookEndpointRecord) endpoint: WebhookEndpointRecord;
}

export const updateEndpointV1 = command({
  name: 'webhooks.update-endpoint.v1',
  owner: 'webhooks',
  description:
    "Updates a webhook endpoint's URL, verify token, event kinds or limit. A new URL must pass the guard and the challenge.",
  request: UpdateEndpointCommand,
  response: UpdateEndpointReply,
  changes: true,
  timeoutMs: 15_000,
  maxBytes: 32_768,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      endpointId: 'ep_01jd0000000000000000000000',
      url: 'https://example.com/new',
      maxInFlight: 5,
    },
    response: { endpoint: { ...webhookSamples.endpoint, url: 'https://example.com/new', maxInFlight: 5 } },
  },
});

export class SetEndpointCommand {
  @IsString() accountId: string;
  @IsString() @IsStorableText() @MaxLength(2000) url: string;
  /** Token that the verification challenge sends to the endpoint (spec §11.1.2), encrypted with ENCRYPTION_KEY. */
  @IsString() sealedVerifyToken: string;
}

export class SetEndpointReply {
  @IsString() id: string;
  @IsString() url: string;
  /** New signing secret for the operator, who sees it once; encrypted with ENCRYPTION_KEY. */
  @IsString() sealedSecret: string;
}

export const setEndpointV1 = command({
  name: 'webhooks.set-endpoint.v1',
  owner: 'webhooks',
  description: "Runs the verification challenge and, if it passes, makes the URL the account's webhook endpoint.",
  request: SetEndpointCommand,
  response: SetEndpointReply,
  changes: true,
  timeoutMs: 15_000,
  maxBytes: 32_768,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      url: 'https://example.com/hook',
      sealedVerifyToken: 'v1.c2VhbGVk',
    },
    response: { id: 'ep_01jd0000000000000000000000', url: 'https://example.com/hook', sealedSecret: 'v1.c2VhbGVk' },
  },
});

export class SwitchEndpointCommand {
  @IsString() accountId: string;
  @IsString() endpointId: string;
  /** False pauses the endpoint, whose events then wait. True enables the endpoint, and the waiting events are sent. */
  @IsBoolean() enabled: boolean;
}

export class SwitchEndpointReply {
  @Nested(() => WebhookEndpointRecord) endpoint: WebhookEndpointRecord;
}

export const switchEndpointV1 = command({
  name: 'webhooks.switch-endpoint.v1',
  owner: 'webhooks',
  description: 'Pauses or enables a webhook endpoint. The events of a paused endpoint are queued.',
  request: SwitchEndpointCommand,
  response: SwitchEndpointReply,
  changes: true,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      endpointId: 'ep_01jd0000000000000000000000',
      enabled: false,
    },
    response: { endpoint: { ...webhookSamples.endpoint, state: 'paused' as const } },
  },
});

export class DeleteEndpointCommand {
  @IsString() accountId: string;
  @IsString() endpointId: string;
}

@Answer({ name: 'DroppedCount' })
export class DeleteEndpointReply {
  /** Number of pending deliveries that were dropped. */
  @IsInt() dropped: number;
}

export const deleteEndpointV1 = command({
  name: 'webhooks.delete-endpoint.v1',
  owner: 'webhooks',
  description: 'Deletes a webhook endpoint permanently. Its pending deliveries are dropped and remain in the log.',
  request: DeleteEndpointCommand,
  response: DeleteEndpointReply,
  changes: true,
  timeoutMs: 10_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', endpointId: 'ep_01jd0000000000000000000000' },
    response: { dropped: 3 },
  },
});

export class SendTestEventCommand {
  @IsString() accountId: string;
  @IsString() endpointId: string;
  @IsIn(WEBHOOK_EVENT_KINDS) kind: WebhookEventKind;
}

@Answer({ name: 'TestEventAnswer' })
export class SendTestEventReply {
  /** Event id, for searching the log. */
  @IsString() eventId: string;
}

export const sendTestEventV1 = command({
  name: 'webhooks.send-test-event.v1',
  owner: 'webhooks',
  description:
    'Sends a test event, marked `"test": true`, to one endpoint, whatever kinds it subscribes to. It is signed, retried and logged like any other.',
  request: SendTestEventCommand,
  response: SendTestEventReply,
  changes: true,
  timeoutMs: 5_000,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      endpointId: 'ep_01jd0000000000000000000000',
      kind: 'message' as WebhookEventKind,
    },
    response: { eventId: 'evt_01jd0000000000000000000000' },
  },
});

export class EndpointDegradedV1 {
  @IsString() accountId: string;
  @IsString() endpointId: string;
  /**
   * `failing`: no delivery has succeeded for a long time. `gone`: an earlier version paused the endpoint because it
   * returned 410.
   */
  @IsIn(['failing', 'gone']) reason: 'failing' | 'gone';
  /** Time of the first failure since the last successful delivery. */
  @IsString() since: string;
}

export const endpointDegradedV1 = event({
  name: 'webhooks.endpoint.degraded.v1',
  producer: 'webhooks',
  consumers: ['gateway'],
  description: "An account's webhook endpoint has been failing for a long time. Its owner should be notified.",
  body: EndpointDegradedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    endpointId: 'ep_01jd0000000000000000000000',
    reason: 'failing' as 'failing' | 'gone',
    since: '2026-03-02T09:00:00.000Z',
  },
});
