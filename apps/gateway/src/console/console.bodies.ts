import {
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

/** Ids of ours: a prefix and 26 characters. */

export class SignInBody {
  @IsString() @MaxLength(255) email: string;
  @IsString() @MaxLength(1_024) password: string;
}

export class PasswordBody {
  @IsString() @MaxLength(1_024) currentPassword: string;
  @IsString() @MaxLength(1_024) newPassword: string;
}

export class CodeBody {
  @IsString() @MaxLength(64) code: string;
}

export class ProofBody {
  @IsString() @MaxLength(1_024) password: string;
}

export class ProofWithCodeBody extends ProofBody {
  @IsString() @MaxLength(64) code: string;
}

export class EndpointChangeBody {
  @IsOptional() @IsString() @IsStorableText() @MinLength(1) @MaxLength(2_000) url?: string;
  @IsOptional() @IsString() @IsStorableText() @MinLength(1) @MaxLength(500) verifyToken?: string;
  @IsOptional() @IsArray() @ArrayMinSize(1) @IsIn(WEBHOOK_EVENT_KINDS, { each: true }) kinds?: WebhookEventKind[];
  @IsOptional() @IsBoolean() allKinds?: boolean;
  @IsOptional() @IsInt() @Min(1) @Max(100) maxInFlight?: number;
  @IsOptional() @IsIn(WEBHOOK_ACCEPT_STATUSES) acceptStatuses?: WebhookAcceptStatuses;
  @IsOptional() @IsIn(WEBHOOK_RETRY_SCHEDULES) retrySchedule?: WebhookRetrySchedule;
}

export class NewEndpointBody {
  @IsString() @IsStorableText() @MinLength(1) @MaxLength(2_000) url: string;
  @IsString() @IsStorableText() @MinLength(1) @MaxLength(500) verifyToken: string;
  @IsOptional() @IsArray() @ArrayMinSize(1) @IsIn(WEBHOOK_EVENT_KINDS, { each: true }) kinds?: WebhookEventKind[];
  @IsOptional() @IsInt() @Min(1) @Max(100) maxInFlight?: number;
  @IsOptional() @IsIn(WEBHOOK_ACCEPT_STATUSES) acceptStatuses?: WebhookAcceptStatuses;
  @IsOptional() @IsIn(WEBHOOK_RETRY_SCHEDULES) retrySchedule?: WebhookRetrySchedule;
}

export class TestEventBody {
  @IsIn(WEBHOOK_EVENT_KINDS) kind: WebhookEventKind;
}

export class ReplayEventBody {
  @IsOptional() @IsString() @Matches(ID_PATTERNS.ep) endpointId?: string;
}

export class ReplayDroppedBody {
  @IsISO8601({ strict: true }) @MaxLength(40) since: string;
  @IsOptional() @IsString() @Matches(ID_PATTERNS.ep) endpointId?: string;
}
