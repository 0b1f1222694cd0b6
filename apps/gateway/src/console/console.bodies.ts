import {
  Answer,
  Body,
  Doc,
  ENDPOINT_DOCS,
  ID_PATTERNS,
  IsNotBlank,
  IsPlainName,
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

/** The answer of what has nothing to say. */
@Answer()
export class Done {}

const CODE = 'Of the authenticator app, or a recovery code';
const CODE_EXAMPLE = { example: '492 039' };

@Body({ name: 'SignIn', example: () => ({ email: 'asha@example.com', password: 'correct horse battery' }) })
export class SignInBody {
  @IsString() @MaxLength(255) email: string;
  @IsString() @MaxLength(1_024) password: string;
}

@Body({
  name: 'PasswordChange',
  example: () => ({ currentPassword: 'correct horse battery', newPassword: 'another horse battery' }),
})
export class PasswordBody {
  @IsString() @MaxLength(1_024) currentPassword: string;
  @Doc(undefined, { minLength: 12, maxLength: 256 }) @IsString() @MaxLength(1_024) newPassword: string;
}

const LINK_TOKEN = { example: 'k4Xw0f6Zc3R1m9vQ2sT7yB8nLpUeJdHaGiOxKzVt5Wr' };

@Body({ name: 'LinkToken', example: () => ({ token: LINK_TOKEN.example }) })
export class LinkTokenBody {
  @Doc('What stands behind the `#` of the link', LINK_TOKEN) @IsString() @MaxLength(64) token: string;
}

@Body({
  name: 'InvitationAcceptance',
  example: () => ({ token: LINK_TOKEN.example, name: 'Ravi', password: 'another horse battery' }),
})
export class AcceptanceBody extends LinkTokenBody {
  @Doc('Your name, as others see it')
  @IsString()
  @IsStorableText()
  @IsPlainName()
  @IsNotBlank()
  @MaxLength(100)
  name: string;
  @Doc(undefined, { minLength: 12, maxLength: 256 }) @IsString() @MaxLength(1_024) password: string;
}

@Body({
  name: 'PasswordReset',
  example: () => ({ token: LINK_TOKEN.example, newPassword: 'another horse battery' }),
})
export class PasswordResetBody extends LinkTokenBody {
  @Doc(undefined, { minLength: 12, maxLength: 256 }) @IsString() @MaxLength(1_024) newPassword: string;
}

@Body({ name: 'Profile', example: () => ({ name: 'Asha' }) })
export class ProfileBody {
  @Doc('Your name, as others see it')
  @IsString()
  @IsStorableText()
  @IsPlainName()
  @IsNotBlank()
  @MaxLength(100)
  name: string;
}

@Body({ name: 'SecondFactorCode', example: () => ({ code: '492 039' }) })
export class CodeBody {
  @Doc(CODE, CODE_EXAMPLE) @IsString() @MaxLength(64) code: string;
}

@Body({ name: 'PasswordProof', example: () => ({ password: 'correct horse battery' }) })
export class ProofBody {
  @Doc('Your password, once more') @IsString() @MaxLength(1_024) password: string;
}

@Body({ name: 'SecondFactorProof', example: () => ({ password: 'correct horse battery', code: '492 039' }) })
export class ProofWithCodeBody extends ProofBody {
  @Doc(CODE, CODE_EXAMPLE) @IsString() @MaxLength(64) code: string;
}

@Body({ name: 'WebhookEndpointChange', example: () => ({ maxInFlight: 5 }) })
export class EndpointChangeBody {
  @Doc(undefined, { example: 'https://example.com/hook' })
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(2_000)
  url?: string;
  @Doc('Sent to the endpoint in the challenge')
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(500)
  verifyToken?: string;
  @IsOptional() @IsArray() @ArrayMinSize(1) @IsIn(WEBHOOK_EVENT_KINDS, { each: true }) kinds?: WebhookEventKind[];
  @Doc('True: back to all kinds; `kinds` must be absent') @IsOptional() @IsBoolean() allKinds?: boolean;
  @Doc('Most requests at a time') @IsOptional() @IsInt() @Min(1) @Max(100) maxInFlight?: number;
  @Doc(ENDPOINT_DOCS.acceptStatuses)
  @IsOptional()
  @IsIn(WEBHOOK_ACCEPT_STATUSES)
  acceptStatuses?: WebhookAcceptStatuses;
  @Doc(ENDPOINT_DOCS.retrySchedule) @IsOptional() @IsIn(WEBHOOK_RETRY_SCHEDULES) retrySchedule?: WebhookRetrySchedule;
}

@Body({
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
  @Doc('Sent to the endpoint in the challenge')
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(500)
  verifyToken: string;
  @IsOptional() @IsArray() @ArrayMinSize(1) @IsIn(WEBHOOK_EVENT_KINDS, { each: true }) kinds?: WebhookEventKind[];
  @Doc('Most requests at a time') @IsOptional() @IsInt() @Min(1) @Max(100) maxInFlight?: number;
  @Doc(ENDPOINT_DOCS.acceptStatuses)
  @IsOptional()
  @IsIn(WEBHOOK_ACCEPT_STATUSES)
  acceptStatuses?: WebhookAcceptStatuses;
  @Doc(ENDPOINT_DOCS.retrySchedule) @IsOptional() @IsIn(WEBHOOK_RETRY_SCHEDULES) retrySchedule?: WebhookRetrySchedule;
}

@Body({ name: 'TestEvent', example: () => ({ kind: 'message' }) })
export class TestEventBody {
  @IsIn(WEBHOOK_EVENT_KINDS) kind: WebhookEventKind;
}

@Body({ name: 'ReplayEvent', example: () => ({}) })
export class ReplayEventBody {
  @Doc('To this endpoint only') @IsOptional() @IsString() @Matches(ID_PATTERNS.ep) endpointId?: string;
}

@Body({ name: 'ReplayDropped', example: () => ({ since: '2026-03-02T09:00:00.000Z' }) })
export class ReplayDroppedBody {
  @Doc('Of events recorded at or after this time') @IsISO8601({ strict: true }) @MaxLength(40) since: string;
  @Doc('Of events recorded before this time') @IsOptional() @IsISO8601({ strict: true }) @MaxLength(40) until?: string;
  @Doc('Of this endpoint only') @IsOptional() @IsString() @Matches(ID_PATTERNS.ep) endpointId?: string;
  @Doc('Of events of this kind only') @IsOptional() @IsIn(WEBHOOK_EVENT_KINDS) kind?: WebhookEventKind;
  @Doc(
    'How many deliveries you counted, only when the count was exact. The replay begins only when there are as many now',
  )
  @IsOptional()
  @IsInt()
  @Min(0)
  deliveries?: number;
}
