import {
  AccountNoticeEvent,
  type BodyClass,
  CallEvent,
  ContactChangedEvent,
  JobCompletedEvent,
  JobFailedEvent,
  JobPausedEvent,
  MessageDeletedEvent,
  MessageEchoEvent,
  MessageEditedEvent,
  MessageEvent,
  MessageHeldEvent,
  MessageStatusEvent,
  PhoneNumberQualityEvent,
  type Schema,
  TemplateStatusEvent,
  type WebhookEventKind,
} from '@switchboard/contracts';
import type { SchemaRegistry } from '../openapi/schema-registry';

const EVENTS: { event: WebhookEventKind; body: BodyClass; summary: string }[] = [
  { event: 'message', body: MessageEvent, summary: 'A customer sent a message' },
  { event: 'message_status', body: MessageStatusEvent, summary: 'A message was sent, delivered, read, or failed' },
  {
    event: 'template_status',
    body: TemplateStatusEvent,
    summary: 'A template was approved, rejected, flagged or disabled',
  },
  { event: 'phone_number_quality', body: PhoneNumberQualityEvent, summary: "A phone number's quality changed" },
  { event: 'job_completed', body: JobCompletedEvent, summary: 'A bulk job attempted every recipient' },
  { event: 'job_paused', body: JobPausedEvent, summary: 'A bulk job was paused, by request or automatically' },
  { event: 'job_failed', body: JobFailedEvent, summary: 'A bulk job could not run' },
  { event: 'message_edited', body: MessageEditedEvent, summary: 'A customer edited a message' },
  { event: 'message_deleted', body: MessageDeletedEvent, summary: 'A customer deleted a message' },
  { event: 'contact_changed', body: ContactChangedEvent, summary: "A customer's phone number or user id changed" },
  { event: 'call', body: CallEvent, summary: 'A customer called' },
  {
    event: 'account_notice',
    body: AccountNoticeEvent,
    summary: 'The platform restricted, reviewed or changed the business account or a number',
  },
  {
    event: 'message_held',
    body: MessageHeldEvent,
    summary: 'The platform accepted a message but held it back',
  },
  {
    event: 'message_echo',
    body: MessageEchoEvent,
    summary: "A message was sent, edited or deleted in the business's phone app",
  },
];

const HEADERS: { name: string; required?: false; description: string; schema: Schema }[] = [
  {
    name: 'X-Service-Signature',
    description:
      '`sha256=` followed by the lowercase hexadecimal HMAC-SHA256 of the raw body, keyed with the complete webhook secret as text, including `whsec_`',
    schema: { type: 'string' },
  },
  {
    name: 'X-Service-Signature-Next',
    required: false,
    description: 'Present during a secret rotation: same as X-Service-Signature, but keyed with the new secret',
    schema: { type: 'string' },
  },
  { name: 'X-Service-Event-Id', description: 'The `eventId` of the body', schema: { type: 'string' } },
  {
    name: 'X-Service-Timestamp',
    description: 'Unix time of this attempt in seconds',
    schema: { type: 'integer' },
  },
  {
    name: 'X-Service-Attempt',
    description: 'Attempt number: 1 to 5, or 1 to 10 for endpoints with the extended schedule',
    schema: { type: 'integer', minimum: 1, maximum: 10 },
  },
  { name: 'webhook-id', description: 'Standard Webhooks: the `eventId`', schema: { type: 'string' } },
  {
    name: 'webhook-timestamp',
    description: 'Standard Webhooks: same as X-Service-Timestamp. Reject requests older than five minutes',
    schema: { type: 'integer' },
  },
  {
    name: 'webhook-signature',
    description:
      'Standard Webhooks: `v1,` followed by the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the base64-decoded part of the secret after `whsec_`. Multiple signatures are separated by spaces',
    schema: { type: 'string' },
  },
];

/** Builds the `webhooks` of the API description: the events sent to customers' endpoints (spec §11.3, §11.4, §11.5). */
export function webhooksSection(registry: SchemaRegistry): Record<string, object> {
  return Object.fromEntries(
    EVENTS.map(({ event, body, summary }) => [
      event,
      {
        post: {
          operationId: `on_${event}`,
          tags: ['Events'],
          summary,
          description:
            'Return 200 within 10 seconds. Otherwise the service retries after 5 s, 30 s, 5 min and 30 min, with an identical body. You can configure an endpoint to accept any 2xx status, or to extend the retries to three days. New fields may be added to events.',
          security: [],
          parameters: HEADERS.map((header) => ({ in: 'header', required: true, ...header })),
          requestBody: { required: true, content: { 'application/json': { schema: registry.refTo(body) } } },
          responses: { '200': { description: 'Received' } },
        },
      },
    ]),
  );
}
