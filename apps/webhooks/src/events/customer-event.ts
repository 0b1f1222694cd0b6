import { PermanentError } from '@switchboard/broker';
import type { MessageReceivedV1, MessageStatusChangedV1, NumberQualityChangedV1, TemplateStatusChangedV1, WebhookEventKind } from '@switchboard/contracts';
import { camelCaseKeys } from './camel-case-keys';

/** One event for a customer, before it has its id. */
export interface CustomerEvent {
  kind: WebhookEventKind;
  accountId: string;
  /** The same for two reports of the same fact; one event is made of them. */
  dedupKey: string;
  /** The upstream message it is about; null for templates. */
  messageId: string | null;
  /** What it is about, to search the log by: a phone number or a template's name. */
  subject: string | null;
  occurredAt: string;
  /** The body's fields in their order: the spec's first, ours after (spec 6.3, decisions 9). */
  fields: Record<string, unknown>;
}

/** Inbound types that customers know (decisions 9); any other is shown as unsupported, without content. */
const INBOUND_TYPES = new Set(
  'text image video audio document sticker location contacts button interactive reaction order'.split(' '),
);

/** Inbound types whose content is a file that the gateway serves. */
const MEDIA_TYPES = new Set('image video audio document sticker'.split(' '));

/**
 * Spec 6.3, table `message`.
 * @param mediaBaseUrl where the gateway serves received media, without the id
 */
export function inboundMessageEvent(message: MessageReceivedV1, mediaBaseUrl: string): CustomerEvent {
  const timestamp = isoMilliseconds(message.timestamp);
  const type = INBOUND_TYPES.has(message.type) ? message.type : 'unsupported';
  const content = type === 'unsupported' || !message.content ? {} : { [type]: contentOf(type, message.content, mediaBaseUrl) };
  // The spec has the text before the time; what it does not show comes after.
  const inOrder = type === 'text' ? { ...content, timestamp } : { timestamp, ...content };
  const { from, name, upstreamId: messageId, to } = message;
  return {
    kind: 'message',
    accountId: message.accountId,
    dedupKey: `message:${message.id}`,
    messageId,
    subject: from,
    occurredAt: timestamp,
    fields: { event: 'message', from, name: name ?? null, messageId, type, ...inOrder, ...additions(message), to },
  };
}

/** A file's link comes right after its id (decisions 9). */
function contentOf(type: string, content: object, mediaBaseUrl: string): unknown {
  const renamed = camelCaseKeys(content);
  if (!MEDIA_TYPES.has(type) || typeof renamed !== 'object' || renamed === null || !('id' in renamed)) return renamed;
  const { id, ...rest } = renamed;
  return { id, link: `${mediaBaseUrl}/${String(id)}`, ...rest };
}

/** What only some messages have; absent, not null, on the others. */
function additions({ context, referral, userId }: MessageReceivedV1): Record<string, unknown> {
  const entries = Object.entries({ context, referral, userId }).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries.map(([name, value]) => [name, camelCaseKeys(value)]));
}

/** Spec 6.3, table `message_status`; once per message and status (decisions 5). */
export function messageStatusEvent(change: MessageStatusChangedV1): CustomerEvent {
  const timestamp = isoMilliseconds(change.timestamp);
  const { upstreamId: messageId, to, status, error, clientRef, jobId } = change;
  return {
    kind: 'message_status',
    accountId: change.accountId,
    dedupKey: `message_status:${change.id}:${status}`,
    messageId,
    subject: to,
    occurredAt: timestamp,
    fields: { event: 'message_status', messageId, to, status, timestamp, error: error ?? null, jobId: jobId ?? null, clientRef: clientRef ?? null },
  };
}

/** Spec 6.3, table `template_status`; `sendable` tells a warning from a pause (decisions 12). */
export function templateStatusEvent(change: TemplateStatusChangedV1): CustomerEvent {
  const timestamp = isoMilliseconds(change.timestamp);
  const { templateName, templateId, status, language, category, previousStatus, reason, sendable = status === 'APPROVED' } = change;
  return {
    kind: 'template_status',
    accountId: change.accountId,
    dedupKey: `template_status:${templateId}:${status}:${timestamp}`,
    messageId: null,
    subject: templateName,
    occurredAt: timestamp,
    fields: {
      ...{ event: 'template_status', templateName, templateId, status, timestamp },
      ...{ language, category, previousStatus: previousStatus ?? null, reason: reason ?? null, sendable },
    },
  };
}

/** Decisions 9: a business number is rated differently than before. */
export function numberQualityEvent(change: NumberQualityChangedV1): CustomerEvent {
  const timestamp = isoMilliseconds(change.timestamp);
  const { phoneNumber, qualityRating, previousQualityRating, messagingLimit } = change;
  return {
    kind: 'phone_number_quality',
    accountId: change.accountId,
    dedupKey: `phone_number_quality:${change.numberId}:${timestamp}`,
    messageId: null,
    subject: phoneNumber,
    occurredAt: timestamp,
    fields: {
      ...{ event: 'phone_number_quality', phoneNumber, qualityRating, previousQualityRating: previousQualityRating ?? null },
      ...{ messagingLimit: messagingLimit ?? null, timestamp },
    },
  };
}

/** The bytes that are stored, signed and sent, unchanged on every attempt. */
export function eventBody(event: CustomerEvent, eventId: string): Buffer {
  return Buffer.from(JSON.stringify({ ...event.fields, eventId }));
}

function isoMilliseconds(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new PermanentError('the timestamp of the event is not a date');
  return time.toISOString();
}
