import {
  BodySchema,
  Doc,
  ENDPOINT_DOCS,
  ID_PATTERNS,
  IsStorableText,
  WEBHOOK_ACCEPT_STATUSES,
  WEBHOOK_EVENT_KINDS,
  WEBHOOK_RETRY_SCHEDULES,
  type WebhookAcceptStatuses,
  type WebhookEventKind,
  type WebhookRetrySchedule,
} from '@switchboard/contracts';
import {
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';

@BodySchema({ name: 'WebhookEndpointChange', example: () => ({ maxInFlight: 5 }) })
export class EndpointChangeBody {
  @Doc(undefined, { example: 'https://example.com/hook' })
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(2_000)
  url?: string;
  @Doc('Token sent to the endpoint in the verification challenge')
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(500)
  verifyToken?: string;
  @IsOptional() @IsArray() @ArrayMinSize(1) @IsIn(WEBHOOK_EVENT_KINDS, { each: true }) kinds?: WebhookEventKind[];
  @Doc('True: subscribe to all kinds; omit `kinds`') @IsOptional() @IsBoolean() allKinds?: boolean;
  @Doc('Maximum concurrent requests') @IsOptional() @IsInt() @Min(1) @Max(100) maxInFlight?: number;
  @Doc(ENDPOINT_DOCS.acceptStatuses)
  @IsOptional()
  @IsIn(WEBHOOK_ACCEPT_STATUSES)
  acceptStatuses?: WebhookAcceptStatuses;
  @Doc(ENDPOINT_DOCS.retrySchedule) @IsOptional() @IsIn(WEBHOOK_RETRY_SCHEDULES) retrySchedule?: WebhookRetrySchedule;
}

@BodySchema({
  name: 'NewWebhookEndpoint',
  example: () => ({ url: 'https://example.com/hook', verifyToken: 'my-token', kinds: ['message'] }),
})
export class NewEndpointBody {
  @Doc(undefined, { example: 'https://example.com/hook' })
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(2_000)
  url: string;
  @Doc('Token sent to the endpoint in the verification challenge')
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(500)
  verifyToken: string;
  @IsOptional() @IsArray() @ArrayMinSize(1) @IsIn(WEBHOOK_EVENT_KINDS, { each: true }) kinds?: WebhookEventKind[];
  @Doc('Maximum concurrent requests') @IsOptional() @IsInt() @Min(1) @Max(100) maxInFlight?: number;
  @Doc(ENDPOINT_DOCS.acceptStatuses)
  @IsOptional()
  @IsIn(WEBHOOK_ACCEPT_STATUSES)
  acceptStatuses?: WebhookAcceptStatuses;
  @Doc(ENDPOINT_DOCS.retrySchedule) @IsOptional() @IsIn(WEBHOOK_RETRY_SCHEDULES) retrySchedule?: WebhookRetrySchedule;
}

@BodySchema({ name: 'TestEvent', example: () => ({ kind: 'message' }) })
export class TestEventBody {
  @IsIn(WEBHOOK_EVENT_KINDS) kind: WebhookEventKind;
}

@BodySchema({ name: 'ReplayEvent', example: () => ({}) })
export class ReplayEventBody {
  @Doc('Replay to this endpoint only') @IsOptional() @IsString() @Matches(ID_PATTERNS.ep) endpointId?: string;
}

@BodySchema({ name: 'ReplayDropped', example: () => ({ since: '2026-03-02T09:00:00.000Z' }) })
export class ReplayDroppedBody {
  @Doc('Only events recorded at or after this time') @IsISO8601({ strict: true }) @MaxLength(40) since: string;
  @Doc('Only events recorded before this time')
  @IsOptional()
  @IsISO8601({ strict: true })
  @MaxLength(40)
  until?: string;
  @Doc('Only deliveries to this endpoint') @IsOptional() @IsString() @Matches(ID_PATTERNS.ep) endpointId?: string;
  @Doc('Only events of this kind') @IsOptional() @IsIn(WEBHOOK_EVENT_KINDS) kind?: WebhookEventKind;
  @Doc(
    'Expected number of deliveries; set it only if the count was exact. The replay starts only if the count still matches',
  )
  @IsOptional()
  @IsInt()
  @Min(0)
  deliveries?: number;
}
