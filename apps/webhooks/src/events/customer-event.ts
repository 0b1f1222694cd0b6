import { PermanentError } from '@switchboard/broker';
import {
  type CallEvent,
  type CallReceivedV1,
  type AccountNoticeEvent,
  camelCaseKeys,
  type ContactChangedEvent,
  type ContactChangedV1,
  failureOf,
  inboundContent,
  isId,
  type JobFinishedV1,
  type JobPausedV1,
  labelsOf,
  type MessageDeletedEvent,
  type MessageDeletedV1,
  type MessageEchoEvent,
  type MessageEditedEvent,
  type MessageEditedV1,
  type MessageHeldEvent,
  type MessageReceivedV1,
  type MessageStatusChangedV1,
  type NumberQualityChangedV1,
  phoneOfPerson,
  reportedErrors,
  type TemplateStatusChangedV1,
  type JobCompletedEvent,
  type JobFailedEvent,
  type JobPausedEvent,
  type MessageEvent,
  type MessageStatusEvent,
  type PhoneNumberQualityEvent,
  type TemplateStatusEvent,
  type WebhookEventKind,
} from '@switchboard/contracts';
import type { MessageIds } from '../deliveries/event-bodies';

/** An event body without its id. */
type EventFields = WithoutId<
  | MessageEvent
  | MessageStatusEvent
  | TemplateStatusEvent
  | PhoneNumberQualityEvent
  | JobCompletedEvent
  | JobPausedEvent
  | JobFailedEvent
  | MessageEditedEvent
  | MessageDeletedEvent
  | ContactChangedEvent
  | CallEvent
  | AccountNoticeEvent
  | MessageHeldEvent
  | MessageEchoEvent
> & {
  /** Set on events that the account requested to test its endpoint. */
  test?: true;
};
type WithoutId<Event> = Event extends unknown ? Omit<Event, 'eventId'> : never;

/** An event for a customer, before an id is assigned. */
export interface CustomerEvent {
  kind: WebhookEventKind;
  accountId: string;
  /** Equal for all reports of the same fact, which become one event. */
  dedupKey: string;
  /**
   * Message id for the log: the upstream id, or the internal id if there is none. Null if the event is not about a
   * message.
   */
  messageId: string | null;
  /** `traceparent` of the span that sent the message, for span links. */
  sendTrace?: string;
  /** Search key in the log: a phone number or a template's name. */
  subject: string | null;
  occurredAt: string;
  /** Fields of the body, in the order of the examples in spec §11.3. */
  fields: EventFields;
}

/**
 * Creates the `message` event (spec §11.3.4).
 * @param publicBaseUrl public base URL of the API, without the version
 */
export function inboundMessageEvent(message: MessageReceivedV1, publicBaseUrl: string): CustomerEvent {
  const timestamp = isoMilliseconds(message.timestamp);
  const { type, content } = inboundContent(message.type, message.content, publicBaseUrl);
  const shown = content === undefined ? {} : { [type]: content };
  // Text precedes the timestamp; other content follows it.
  const inOrder = type === 'text' ? { ...shown, timestamp } : { timestamp, ...shown };
  const { id, from: sender, userId, username = null, parentUserId, name, upstreamId: messageId, to } = message;
  const from = phoneOfPerson(sender);
  // A hidden number is null (spec §11.3.5). The `userId` identifies the contact.
  const additive = {
    ...additions(message),
    to,
    id,
    userId: userId ?? (from === null ? sender : null),
    username,
    ...(parentUserId && { parentUserId }),
  };
  return {
    kind: 'message',
    accountId: message.accountId,
    dedupKey: `message:${message.id}`,
    messageId,
    subject: sender,
    occurredAt: timestamp,
    fields: { event: 'message', from, name: name ?? '', messageId, type, ...inOrder, ...additive },
  };
}

/** Returns the fields that only some messages have. On other messages they are absent, not null. */
function additions({
  context,
  referral,
  errors: reported,
  groupId,
}: MessageReceivedV1): Pick<MessageEvent, 'context' | 'referral' | 'errors' | 'groupId'> {
  const errors = reportedErrors(reported);
  const entries = Object.entries({ context, referral }).filter(([, value]) => value !== undefined && value !== null);
  const referred = Object.fromEntries(entries.map(([name, value]) => [name, camelCaseKeys(value)]));
  return { ...referred, ...(errors && { errors }), ...groupOf({ groupId }) };
}

/**
 * Creates the `message_status` event (spec §11.3.10), one per message and status (spec §11.3.13). If no send returned a
 * `messageId`, `id` identifies the message.
 */
export function messageStatusEvent(change: MessageStatusChangedV1): CustomerEvent {
  const timestamp = isoMilliseconds(change.timestamp);
  const { id, upstreamId, to: recipient, username = null, status, error, jobId, pricing, late } = change;
  const { parentUserId, sendTrace } = change;
  const messageId = upstreamId === id ? null : upstreamId;
  const to = phoneOfPerson(recipient);
  return {
    kind: 'message_status',
    accountId: change.accountId,
    dedupKey: `message_status:${id}:${status}`,
    messageId: upstreamId,
    sendTrace,
    subject: recipient,
    occurredAt: timestamp,
    fields: {
      event: 'message_status',
      messageId,
      to,
      status,
      timestamp,
      error: error ? failureOf(error) : null,
      jobId: jobId ?? null,
      ...labelsOf(change),
      id,
      userId: to === null ? recipient : null,
      username,
      ...(parentUserId && { parentUserId }),
      ...(pricing && { pricing }),
      ...(late && { late }),
    },
  };
}

/**
 * Creates the `template_status` event (spec §11.3.15). `sendable` distinguishes a warning from a pause (spec §10.1.5).
 */
export function templateStatusEvent(change: TemplateStatusChangedV1): CustomerEvent {
  const timestamp = isoMilliseconds(change.timestamp);
  const {
    templateName,
    templateId,
    status,
    language,
    category,
    previousStatus,
    reason,
    sendable = status === 'APPROVED',
  } = change;
  return {
    kind: 'template_status',
    accountId: change.accountId,
    dedupKey: `template_status:${templateId}:${status}:${timestamp}`,
    messageId: null,
    subject: templateName,
    occurredAt: timestamp,
    fields: {
      event: 'template_status',
      templateName,
      templateId,
      status,
      timestamp,
      language,
      category,
      previousStatus: previousStatus ?? null,
      reason: reason ?? null,
      sendable,
    },
  };
}

/** Creates the event for a changed quality rating of a business number (spec §11.3.17). */
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
      event: 'phone_number_quality',
      phoneNumber,
      qualityRating,
      previousQualityRating: previousQualityRating ?? null,
      messagingLimit: messagingLimit ?? null,
      timestamp,
    },
  };
}

/**
 * Creates the event for a job that has attempted every recipient (spec §11.3.18). `timestamp` equals `completedAt` of
 * the record.
 */
export function jobCompletedEvent({ total, failed, ...job }: JobFinishedV1): CustomerEvent {
  return jobEvent(job, (jobId, timestamp) => ({ event: 'job_completed', jobId, timestamp, total, failed }));
}

/** Creates the event for a job that could not run (spec §11.3.18). `error` equals that of the record. */
export function jobFailedEvent({ total, failed, error, ...job }: JobFinishedV1): CustomerEvent {
  return jobEvent(job, (jobId, timestamp) => ({
    event: 'job_failed',
    jobId,
    timestamp,
    total,
    failed,
    error: error ?? null,
  }));
}

/** Creates the event for a paused job, one per pause, whatever its cause (spec §11.3.18). */
export function jobPausedEvent({ reason, ...job }: JobPausedV1): CustomerEvent {
  return jobEvent(job, (jobId, timestamp) => ({ event: 'job_paused', jobId, timestamp, pauseReason: reason }));
}

type Nameless<Event> = Event extends unknown ? Omit<Event, 'name' | 'eventId'> : never;

function jobEvent(
  { accountId, jobId, name, timestamp: reportedAt }: Pick<JobPausedV1, 'accountId' | 'jobId' | 'name' | 'timestamp'>,
  fieldsOf: (jobId: string, timestamp: string) => Nameless<JobCompletedEvent | JobPausedEvent | JobFailedEvent>,
): CustomerEvent {
  const timestamp = reportedAt === undefined ? new Date().toISOString() : isoMilliseconds(reportedAt);
  const fields = { ...fieldsOf(jobId, timestamp), name: name ?? null };
  return {
    kind: fields.event,
    accountId,
    dedupKey: `${fields.event}:${jobId}:${reportedAt ?? ''}`,
    messageId: null,
    subject: jobId,
    occurredAt: timestamp,
    fields,
  };
}

/** Creates the event for a message that a contact edited (spec §11.3.19), one per edit. */
export function messageEditedEvent(edit: MessageEditedV1, publicBaseUrl: string): CustomerEvent {
  const timestamp = isoMilliseconds(edit.timestamp);
  const { type, content } = inboundContent(edit.type, edit.content, publicBaseUrl);
  const shown = content === undefined ? {} : { [type]: content };
  const { from, name, to, userId } = personOf(edit);
  const { id, upstreamId: messageId } = edit;
  return {
    ...aboutPerson(edit, timestamp),
    kind: 'message_edited',
    dedupKey: `message_edited:${edit.editId}`,
    messageId,
    fields: {
      event: 'message_edited',
      messageId,
      from,
      name,
      type,
      ...shown,
      timestamp,
      to,
      id,
      ...groupOf(edit),
      userId,
    },
  };
}

/** Creates the event for a message that a contact deleted (spec §11.3.21), one per message. */
export function messageDeletedEvent(deletion: MessageDeletedV1): CustomerEvent {
  const timestamp = isoMilliseconds(deletion.timestamp);
  const { from, name, to, userId } = personOf(deletion);
  const { id, upstreamId: messageId } = deletion;
  return {
    ...aboutPerson(deletion, timestamp),
    kind: 'message_deleted',
    dedupKey: `message_deleted:${messageId}`,
    messageId,
    fields: { event: 'message_deleted', messageId, from, name, timestamp, to, id, ...groupOf(deletion), userId },
  };
}

/** Creates the event for a contact's new number or user id (spec §11.3.22). */
export function contactChangedEvent(change: ContactChangedV1): CustomerEvent {
  const timestamp = isoMilliseconds(change.timestamp);
  const { previousPhone, phone, previousUserId, userId = null, name, to, contactId, moved } = change;
  return {
    kind: 'contact_changed',
    accountId: change.accountId,
    dedupKey: `contact_changed:${change.id}`,
    messageId: change.id,
    subject: phone ?? userId ?? change.from,
    occurredAt: timestamp,
    fields: {
      event: 'contact_changed',
      previousPhone,
      phone,
      previousUserId,
      userId,
      name: name ?? '',
      timestamp,
      to,
      contactId,
      moved,
    },
  };
}

/** Creates the event for a call from a contact (spec §11.3.24). */
export function callEvent(call: CallReceivedV1): CustomerEvent {
  const timestamp = isoMilliseconds(call.timestamp);
  const { from, name, to, userId } = personOf(call);
  const { id, upstreamId: callId } = call;
  return {
    ...aboutPerson(call, timestamp),
    kind: 'call',
    dedupKey: `call:${id}`,
    messageId: callId,
    fields: { event: 'call', callId, from, name, timestamp, to, id, userId },
  };
}

type Done = Pick<CallReceivedV1, 'accountId' | 'from' | 'name' | 'to' | 'userId'>;

/** A hidden number is null (spec §11.3.5). The `userId` identifies the contact. */
function personOf({ from: sender, name, to, userId }: Done): Pick<CallEvent, 'from' | 'name' | 'to' | 'userId'> {
  const from = phoneOfPerson(sender);
  return { from, name: name ?? '', to, userId: userId ?? (from === null ? sender : null) };
}

const aboutPerson = (
  { accountId, from }: Done,
  occurredAt: string,
): Pick<CustomerEvent, 'accountId' | 'subject' | 'occurredAt'> => ({ accountId, subject: from, occurredAt });

const groupOf = ({ groupId }: { groupId?: string | null }): { groupId?: string } =>
  typeof groupId === 'string' ? { groupId } : {};

export function messageIdsOf({ messageId: named, fields }: CustomerEvent): MessageIds {
  const id = ('id' in fields && fields.id) || '';
  const messageId = isId('msg', id) ? id : undefined;
  return { messageId, upstreamId: named === null || named === messageId ? undefined : named };
}

/** Returns the status that the body reports. The log shows it and filters by it. */
export function reportedStatusOf({ fields }: CustomerEvent): string | null {
  return 'status' in fields ? fields.status : null;
}

/** Returns the bytes to store, sign and send. Every attempt sends the same bytes. */
export function eventBody(event: CustomerEvent, eventId: string): Buffer {
  return Buffer.from(JSON.stringify({ ...event.fields, eventId }));
}

export function isoMilliseconds(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new PermanentError('the timestamp of the event is not a date');
  return time.toISOString();
}
