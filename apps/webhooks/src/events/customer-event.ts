import { PermanentError } from '@switchboard/broker';
import {
  camelCaseKeys,
  inboundContent,
  type MessageReceivedV1,
  type MessageStatusChangedV1,
  type NumberQualityChangedV1,
  type TemplateStatusChangedV1,
  type WebhookEventKind,
} from '@switchboard/contracts';

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

/**
 * Spec 6.3, table `message`.
 * @param publicBaseUrl where customers reach the API, without the version
 */
export function inboundMessageEvent(message: MessageReceivedV1, publicBaseUrl: string): CustomerEvent {
  const timestamp = isoMilliseconds(message.timestamp);
  const { type, content } = inboundContent(message.type, message.content, publicBaseUrl);
  const shown = content === undefined ? {} : { [type]: content };
  // The spec has the text before the time; what it does not show comes after.
  const inOrder = type === 'text' ? { ...shown, timestamp } : { timestamp, ...shown };
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

/** What only some messages have; absent, not null, on the others. */
function additions({ context, referral, userId }: MessageReceivedV1): Record<string, unknown> {
  const entries = Object.entries({ context, referral, userId }).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries.map(([name, value]) => [name, camelCaseKeys(value)]));
}

/** Spec 6.3, table `message_status`; once per message and status (decisions 5). */
export function messageStatusEvent(change: MessageStatusChangedV1): CustomerEvent {
  const timestamp = isoMilliseconds(change.timestamp);
  const { upstreamId: messageId, to, status, error, clientRef, jobId, late } = change;
  return {
    kind: 'message_status',
    accountId: change.accountId,
    dedupKey: `message_status:${change.id}:${status}`,
    messageId,
    subject: to,
    occurredAt: timestamp,
    fields: {
      ...{ event: 'message_status', messageId, to, status, timestamp, error: error ?? null, jobId: jobId ?? null },
      ...{ clientRef: clientRef ?? null, ...(late && { late }) },
    },
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
