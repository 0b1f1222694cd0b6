import {
  CONSOLE_ONLY_CODES,
  type ErrorCode,
  WEBHOOK_ACCEPT_STATUSES,
  WEBHOOK_DELIVERY_STATES,
  WEBHOOK_ENDPOINT_STATES,
  WEBHOOK_EVENT_KINDS,
  WEBHOOK_RETRY_SCHEDULES,
} from '@switchboard/contracts';
import { AUDIT_OUTCOMES } from '../accounts/audit-log';
import { jobListSchemas } from '../lists/job-lists.schemas';
import { commonSchemas, errorSchema } from '../openapi/common.schemas';
import {
  flag,
  integer,
  list,
  object,
  oneOfTexts,
  orNull,
  ref,
  type Schema,
  success,
  text,
  time,
} from '../openapi/schema';
import { ROLES } from '../caller/roles';
import { otpConsoleSchemas } from './otp.schemas';
import { templateConsoleSchemas } from './template.schemas';

/** The codes that a request of the console can be refused with. */
export const CONSOLE_ERRORS: ErrorCode[] = [
  ...CONSOLE_ONLY_CODES,
  ...([
    'MISSING_FIELD',
    'INVALID_PARAMETER',
    'INVALID_JSON',
    'UNAUTHORIZED',
    'HTTPS_REQUIRED',
    'ACCOUNT_SUSPENDED',
    'NOT_FOUND',
    'METHOD_NOT_ALLOWED',
    'RATE_LIMITED',
  ] as const),
  ...([
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'TEXT_TOO_LONG',
    'INVALID_LINK',
    'INVALID_VALUE',
    'INTERNAL',
    'UNAVAILABLE',
    'OUTCOME_UNKNOWN',
  ] as const),
  ...(['UPSTREAM_THROTTLED', 'UPSTREAM_ERROR', 'UPSTREAM_TIMEOUT'] as const),
  ...(['TEMPLATE_NOT_FOUND', 'TEMPLATE_NOT_APPROVED', 'TEMPLATE_PARAMS_MISMATCH'] as const),
];

const kinds = list(oneOfTexts(WEBHOOK_EVENT_KINDS));
const verifyToken = text('Sent to the endpoint in the challenge', { minLength: 1, maxLength: 500 });
const url = text(undefined, { minLength: 1, maxLength: 2000, example: 'https://example.com/hook' });
const maxInFlight: Schema = { ...integer, minimum: 1, maximum: 100, description: 'Most requests at a time' };
const acceptStatuses: Schema = {
  ...oneOfTexts(WEBHOOK_ACCEPT_STATUSES),
  description: 'Which answers are a success: only 200, or any from 200 to 299',
};
const retrySchedule: Schema = {
  ...oneOfTexts(WEBHOOK_RETRY_SCHEDULES),
  description:
    '`standard`: five attempts within 36 minutes. `extended`: five more after them, 2, 6, 12, 24 and 24 hours after each other',
};
const secret = text('Shown this once');

const currentPassword = text('Your password, once more', { maxLength: 1024 });
const secondFactorCode = text('Of the authenticator app, or a recovery code', { maxLength: 64, example: '492 039' });

const delivery = {
  ...{
    id: text(),
    endpointId: text(),
    state: oneOfTexts(WEBHOOK_DELIVERY_STATES),
    attemptsMade: integer,
    nextAttemptAt: orNull(time),
    createdAt: time,
  },
  ...{
    finishedAt: orNull(time),
    replayId: orNull(text()),
    replayedAs: orNull(text('The delivery that a replay made of this one')),
  },
};
const event = {
  ...{
    id: text(),
    kind: oneOfTexts(WEBHOOK_EVENT_KINDS),
    messageId: orNull(text()),
    occurredAt: time,
    createdAt: time,
  },
  subject: orNull(text("The other side's phone number, a template's name or a number of one's own")),
};

/** As the public API shows them. */
const { Job, JobAnswer, JobList, JobRecipient, JobRecipientList } = jobListSchemas;
const { Pagination, MessageError } = commonSchemas;
const consoleJobSchemas = { Job, JobAnswer, JobList, JobRecipient, JobRecipientList, Pagination, MessageError };

/** The schemas of the console's bodies. */
export const consoleSchemas = {
  SignIn: object(
    { email: text(undefined, { maxLength: 255 }), password: text(undefined, { maxLength: 1024 }) },
    { example: { email: 'asha@example.com', password: 'correct horse battery' } },
  ),
  PasswordChange: object(
    { currentPassword: text(), newPassword: text(undefined, { minLength: 12, maxLength: 256 }) },
    { example: { currentPassword: 'correct horse battery', newPassword: 'another horse battery' } },
  ),
  Me: object({
    success,
    user: object({ id: text(), email: text(), name: text(), role: oneOfTexts(ROLES) }),
    account: object({ id: text(), name: text() }),
    session: object({ expiresAt: time }),
    csrfToken: text('For the header X-CSRF-Token of every request that changes something'),
  }),
  SecondFactorNeeded: object({
    success,
    secondFactor: object({ expiresAt: { ...time, description: 'Until then `completeSignIn` takes a code' } }),
  }),
  SignInAnswer: { oneOf: [ref('Me'), ref('SecondFactorNeeded')] },
  SecondFactorCode: object({ code: secondFactorCode }, { example: { code: '492 039' } }),
  PasswordProof: object({ password: currentPassword }, { example: { password: 'correct horse battery' } }),
  SecondFactorProof: object(
    { password: currentPassword, code: secondFactorCode },
    { example: { password: 'correct horse battery', code: '492 039' } },
  ),
  SecondFactorAnswer: object({
    success,
    secondFactor: object({ isEnabled: flag, enabledAt: orNull(time), recoveryCodesLeft: integer }),
  }),
  SecondFactorEnrolment: object({
    success,
    secret: text('In base32, to be typed into the app'),
    uri: text('What the app reads', {
      example: 'otpauth://totp/Switchboard:asha%40example.com?issuer=Switchboard&secret=…',
    }),
    qrCode: text('The same as a picture to be scanned: a `data:` URL with an SVG'),
  }),
  RecoveryCodes: object({ success, recoveryCodes: list(text(undefined, { example: '7k2m-x9qd-41tz' })) }),
  Done: object({ success }),
  WebhookEndpoint: object({
    ...{
      id: text(),
      url: text(),
      kinds: orNull({ ...kinds, description: 'Null for all kinds, those to come included' }),
      maxInFlight: orNull(maxInFlight),
    },
    ...{ acceptStatuses, retrySchedule },
    ...{ state: oneOfTexts(WEBHOOK_ENDPOINT_STATES) },
    failingSince: orNull(time),
    rotationEndsAt: { ...orNull(time), description: 'Until then two secrets sign' },
    ...{ createdAt: time, updatedAt: time },
  }),
  WebhookEndpointList: object({ success, endpoints: list(ref('WebhookEndpoint')) }),
  WebhookEndpointAnswer: object({ success, endpoint: ref('WebhookEndpoint') }),
  NewWebhookEndpoint: object(
    { url, verifyToken, kinds, maxInFlight, acceptStatuses, retrySchedule },
    {
      optional: ['kinds', 'maxInFlight', 'acceptStatuses', 'retrySchedule'],
      example: { url: 'https://example.com/hook', verifyToken: 'my-token', kinds: ['message'] },
    },
  ),
  NewWebhookEndpointAnswer: object({ success, endpoint: ref('WebhookEndpoint'), secret }),
  WebhookEndpointChange: object(
    {
      url,
      verifyToken,
      kinds,
      allKinds: { ...flag, description: 'True: back to all kinds; `kinds` must be absent' },
      maxInFlight,
      acceptStatuses,
      retrySchedule,
    },
    {
      optional: ['url', 'verifyToken', 'kinds', 'allKinds', 'maxInFlight', 'acceptStatuses', 'retrySchedule'],
      example: { maxInFlight: 5 },
    },
  ),
  DroppedCount: object({ success, dropped: integer }),
  RotatedSecret: object({ success, secret, rotationEndsAt: time }),
  TestEvent: object({ kind: oneOfTexts(WEBHOOK_EVENT_KINDS) }, { example: { kind: 'message' } }),
  TestEventAnswer: object({ success, eventId: text() }),
  WebhookDelivery: object(delivery),
  WebhookAttempt: object({
    ...{
      attempt: integer,
      url: text(),
      requestHeaders: { type: 'object', additionalProperties: true, description: 'Without the signatures' },
      startedAt: time,
      finishedAt: orNull(time),
    },
    ...{
      durationMs: orNull(integer),
      statusCode: orNull(integer),
      errorClass: orNull(
        text(
          'dns, connect, tls, timeout, status, reset (closed or reset before an answer came), body (the answer broke off or is not HTTP) or blocked',
        ),
      ),
    },
    answer: orNull(text('The first KiB')),
  }),
  WebhookEvent: object({ ...event, deliveries: list(ref('WebhookDelivery')) }),
  WebhookEventList: object({ success, events: list(ref('WebhookEvent')), nextCursor: orNull(text()) }),
  WebhookEventAnswer: object({
    success,
    event: object({
      ...event,
      body: text('The very text that is sent'),
      deliveries: list(object({ ...delivery, attempts: list(ref('WebhookAttempt')) })),
    }),
  }),
  ReplayEvent: object({ endpointId: text('To this endpoint only') }, { optional: ['endpointId'], example: {} }),
  ReplayedCount: object({ success, deliveries: { ...integer, description: 'New deliveries, due at once' } }),
  ReplayDropped: object(
    { since: time, endpointId: text('Of this endpoint only') },
    { optional: ['endpointId'], example: { since: '2026-03-02T09:00:00.000Z' } },
  ),
  ReplayAnswer: object({
    success,
    replay: object({
      id: text(),
      endpointId: orNull(text()),
      total: integer,
      replayed: integer,
      createdAt: time,
      finishedAt: { ...orNull(time), description: 'Null while it runs' },
    }),
  }),
  AuditEntry: object({
    ...{
      id: text(),
      at: time,
      actor: text(),
      action: text('What somebody wanted done'),
      target: text('As given: when it was refused, there may be no such thing'),
    },
    outcome: {
      ...orNull(oneOfTexts(AUDIT_OUTCOMES)),
      description: '`unknown`: it is under way, or nobody heard how it ended. Null: noted before outcomes were',
    },
    errorCode: orNull(text('Why it was refused', { example: 'NOT_FOUND' })),
  }),
  AuditLog: object({ success, entries: list(ref('AuditEntry')), nextCursor: orNull(text()) }),
  ...templateConsoleSchemas,
  ...otpConsoleSchemas,
  ...consoleJobSchemas,
  Error: errorSchema(CONSOLE_ERRORS),
} satisfies Record<string, Schema>;

export type ConsoleSchemaName = keyof typeof consoleSchemas;

declare module '../openapi/decorators' {
  interface SchemaNames {
    console: ConsoleSchemaName;
  }
}
