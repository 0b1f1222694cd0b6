import { PermanentError } from '@switchboard/broker';
import type { MessageReceivedV1, MessageStatusChangedV1, TemplateStatusChangedV1 } from '@switchboard/contracts';
import { camelCaseKeys } from './camel-case-keys';

/** The events customers receive (spec 6.2). */
export type EventKind = 'message' | 'message_status' | 'template_status';

/** One event for a customer, before it has its id. */
export interface CustomerEvent {
  kind: EventKind;
  accountId: string;
  /** The same for two reports of the same fact; one event is made of them. */
  dedupKey: string;
  /** The upstream message it is about; null for templates. */
  messageId: string | null;
  occurredAt: string;
  /** The body's fields in their order: the spec's first, ours after (spec 6.3, decisions 9). */
  fields: Record<string, unknown>;
}

/** Inbound types that customers know (decisions 9); any other is shown as unsupported, without content. */
const INBOUND_TYPES = new Set(
  'text image video audio document sticker location contacts button interactive reaction order'.split(' '),
);

/** Spec 6.3, table `message`. */
export function inboundMessageEvent(message: MessageReceivedV1): CustomerEvent {
  const timestamp = isoMilliseconds(message.timestamp);
  const type = INBOUND_TYPES.has(message.type) ? message.type : 'unsupported';
  const content = type === 'unsupported' || !message.content ? {} : { [type]: camelCaseKeys(message.content) };
  // The spec has the text before the time; what it does not show comes after.
  const inOrder = type === 'text' ? { ...content, timestamp } : { timestamp, ...content };
  const { from, name, upstreamId: messageId, to } = message;
  return {
    kind: 'message',
    accountId: message.accountId,
    dedupKey: `message:${message.id}`,
    messageId,
    occurredAt: timestamp,
    fields: { event: 'message', from, name: name ?? null, messageId, type, ...inOrder, to },
  };
}

/** Spec 6.3, table `message_status`; once per message and status (decisions 5). */
export function messageStatusEvent(change: MessageStatusChangedV1): CustomerEvent {
  const timestamp = isoMilliseconds(change.timestamp);
  const { upstreamId: messageId, to, status, error, clientRef } = change;
  return {
    kind: 'message_status',
    accountId: change.accountId,
    dedupKey: `message_status:${change.id}:${status}`,
    messageId,
    occurredAt: timestamp,
    fields: { event: 'message_status', messageId, to, status, timestamp, error: error ?? null, jobId: null, clientRef: clientRef ?? null },
  };
}

/** Spec 6.3, table `template_status`. */
export function templateStatusEvent(change: TemplateStatusChangedV1): CustomerEvent {
  const timestamp = isoMilliseconds(change.timestamp);
  const { templateName, templateId, status, language, category, previousStatus, reason } = change;
  return {
    kind: 'template_status',
    accountId: change.accountId,
    dedupKey: `template_status:${templateId}:${status}:${timestamp}`,
    messageId: null,
    occurredAt: timestamp,
    fields: {
      ...{ event: 'template_status', templateName, templateId, status, timestamp },
      ...{ language, category, previousStatus: previousStatus ?? null, reason: reason ?? null },
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
