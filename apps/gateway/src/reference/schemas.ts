import type { OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CATEGORIES, ERRORS, JOB_STATUSES, sendMessageV1, TEXT_MAX_CHARACTERS } from '@switchboard/contracts';

type SchemaObject = Exclude<NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string], { $ref: string }>;

const text = (description?: string, more: SchemaObject = {}): SchemaObject => ({ type: 'string', ...(description && { description }), ...more });
const time = text(undefined, { format: 'date-time' });
// OpenAPI 3.1 writes "or null" as a list of types, which the library's types of 3.0 do not know.
const orNull = (schema: SchemaObject): SchemaObject => ({ ...schema, type: [schema.type, 'null'] as unknown as string });
const phone = text('Digits only, without the plus', { pattern: '^[1-9][0-9]{7,14}$', example: '919812345678' });
const success: SchemaObject = { type: 'boolean', enum: [true] };
const integer: SchemaObject = { type: 'integer' };
const list = (items: SchemaObject): SchemaObject => ({ type: 'array', items });

/** An object of which every property is always there, unless named as optional. */
function object(properties: Record<string, SchemaObject>, optional: string[] = []): SchemaObject {
  return { type: 'object', properties, required: Object.keys(properties).filter((name) => !optional.includes(name)) };
}

const textContent = object({ body: text(undefined, { minLength: 1, maxLength: TEXT_MAX_CHARACTERS }) });
const templateParameter = object({ type: text(undefined, { enum: ['text'] }), text: text(undefined, { maxLength: 1024 }) });
const templateComponent = object(
  { type: text('body, header or button'), sub_type: text('Buttons only'), index: text('Buttons only'), parameters: list(templateParameter) },
  ['sub_type', 'index', 'parameters'],
);
const templateContent = object(
  { name: text(), language: object({ code: text(undefined, { example: 'en_US' }) }), components: list(templateComponent) },
  ['components'],
);
const messageError: SchemaObject = object({
  code: { ...integer, description: "The upstream platform's number" },
  title: text(),
  message: text(),
  category: text(undefined, { enum: [...ERROR_CATEGORIES] }),
  retriable: { type: 'boolean' },
});

const message = object(
  {
    id: text(),
    message_id: orNull(text()),
    messageId: orNull(text('The same as message_id')),
    direction: text(undefined, { enum: ['inbound', 'outbound'] }),
    from: orNull(text()),
    to: orNull(text()),
    name: orNull(text("The sender's profile name")),
    type: text('The content stands under the name of the type'),
    text: textContent,
    template: templateContent,
    caption: orNull(text()),
    status: text(undefined, { enum: ['accepted', 'sent', 'delivered', 'read', 'failed', 'received'] }),
    error: orNull(messageError),
    jobId: orNull(text()),
    clientRef: orNull(text()),
    timestamp: time,
    createdAt: time,
    sentAt: orNull(time),
    deliveredAt: orNull(time),
    readAt: orNull(time),
    failedAt: orNull(time),
  },
  ['text', 'template'],
);
const pagination = object({
  page: integer,
  limit: integer,
  total: integer,
  totalPages: integer,
  hasNext: { type: 'boolean' },
  nextCursor: orNull(text()),
});
const template = object({
  id: text(),
  name: text(),
  status: text(undefined, { enum: ['APPROVED'] }),
  category: text(undefined, { enum: ['MARKETING', 'UTILITY', 'AUTHENTICATION'] }),
  language: text(),
  components: list({ type: 'object', additionalProperties: true }),
});
const me = object({
  success,
  account: object({ id: text(), name: text(), createdAt: time }),
  apiClient: object({
    id: text(),
    name: text(),
    keyPrefix: text(),
    allowedIps: list(text()),
    allowedRoutes: list(text()),
    expiresAt: orNull(time),
  }),
  plan: object({ name: text(), features: list(text()), limits: object({ bulkRecipients: integer, excelRows: integer }) }),
  credits: object({ utility: integer }),
  rateLimit: object({ limit: integer, remaining: integer, windowSeconds: integer, resetAt: time }),
  numbers: list(object({ phoneNumber: text(), qualityRating: orNull(text()), messagingLimit: orNull(text()), status: text() })),
});
const job = object({
  jobId: text(),
  type: text(undefined, { enum: ['bulk', 'excel'] }),
  status: text(undefined, { enum: [...JOB_STATUSES] }),
  template: orNull(text()),
  total: integer,
  createdAt: time,
});
const error = object(
  {
    success: { type: 'boolean', enum: [false] },
    message: text(),
    code: text(undefined, { enum: Object.keys(ERRORS) }),
    details: list(object({ field: text(), message: text() })),
    requestId: text(),
  },
  ['details'],
);

/** The schemas of the public API's bodies, by the names the operations refer to. */
export const schemas = {
  SendMessageRequest: {
    ...object(
      { to: phone, type: text(undefined, { enum: ['text', 'template'] }), text: textContent, template: templateContent, from: phone, clientRef: text('Comes back in records and events', { maxLength: 128 }) },
      ['text', 'template', 'from', 'clientRef'],
    ),
    example: sendMessageV1.sample.request.message,
  },
  SendMessageResponse: object({ success, message_id: text("The upstream platform's identifier"), status: text(undefined, { enum: ['accepted'] }), id: text('Ours') }),
  Message: message,
  MessageList: object({ success, messages: list({ $ref: '#/components/schemas/Message' } as SchemaObject), pagination }),
  Me: me,
  TemplateList: object({ success, templates: list(template) }),
  VerifyOtpRequest: { ...object({ phone, otp: text(undefined, { pattern: '^[A-Za-z0-9]{4,10}$' }) }), example: { phone: '919812345678', otp: '482913' } },
  VerifyOtpResponse: object({ success, verified: { type: 'boolean', enum: [true] } }),
  JobAnswer: object({ success, job }),
  Error: error,
} satisfies Record<string, SchemaObject>;

export type SchemaName = keyof typeof schemas;
