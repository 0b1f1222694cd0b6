import type { ContactActivity, ContactNote, ContactRecord, QueueState } from '@switchboard/contracts';
import type { MessageAuthor } from '../messages/message-authors';
import type { Message } from '../messages/message-record';

/** Columns of a message export, named after API fields. */
export const MESSAGE_COLUMNS = [
  'id',
  'message_id',
  'direction',
  'from',
  'to',
  'name',
  'type',
  'text',
  'status',
  'errorReason',
  'errorCode',
  'errorMessage',
  'jobId',
  'clientRef',
  'timestamp',
  'sentAt',
  'deliveredAt',
  'readAt',
  'failedAt',
  'pricingCategory',
  'pricingBillable',
  'pricingType',
  'referralSourceType',
  'referralSourceId',
  'referralSourceUrl',
  'referralHeadline',
  'referralCtwaClid',
  'userId',
  'username',
  'parentUserId',
] as const;

export const CONTACT_COLUMNS = [
  'id',
  'phone',
  'userId',
  'name',
  'profileName',
  'optedOut',
  'marketingOptOut',
  'lastMessageAt',
  'lastInboundAt',
  'windowOpen',
  'windowExpiresAt',
  'createdAt',
  'username',
  'parentUserId',
] as const;
/** Columns about the conversation with the contact, after those of the contact. */
export const QUEUE_COLUMNS = ['assigneeId', 'assigneeName', 'done', 'waitingSince'] as const;

/** Columns after those about the conversation. */
export const LABEL_COLUMNS = ['labels'] as const;

/** Columns after the labels. */
export const OPT_OUT_COLUMNS = ['optedOutAt', 'optedOutSource', 'optedOutWord', 'optedOutBy'] as const;

type Names = ReadonlyMap<string, string>;

const cellOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** Columns about the user, API key or job that sent a message, after those of the message. */
export const AUTHOR_COLUMNS = ['sentByKind', 'sentById', 'sentByName'] as const;

/** Converts a message to cell texts in column order. */
export function messageRow(message: Message, author: MessageAuthor | null | undefined): string[] {
  const { error, pricing, referral } = message;
  const more: Record<string, unknown> = {
    text: textOf(message),
    errorReason: error?.reason,
    errorCode: error?.code,
    errorMessage: error?.message,
    pricingCategory: pricing?.category,
    pricingBillable: pricing?.billable,
    pricingType: pricing?.type,
    referralSourceType: referral?.sourceType,
    referralSourceId: referral?.sourceId,
    referralSourceUrl: referral?.sourceUrl,
    referralHeadline: referral?.headline,
    referralCtwaClid: referral?.ctwaClid,
  };
  return [
    ...MESSAGE_COLUMNS.map((column) => cellOf(column in more ? more[column] : message[column as keyof Message])),
    ...[author?.kind, author?.id, author?.name].map(cellOf),
  ];
}

/** @param names names of the users to whom conversations are assigned and who opted contacts out, by id */
export function contactRow(contact: ContactRecord, queue: QueueState | undefined, names: Names): string[] {
  const { optOut } = contact;
  const assigneeName = names.get(queue?.assigneeId ?? '');
  return [
    ...CONTACT_COLUMNS.map((column) => cellOf(contact[column])),
    ...[queue?.assigneeId, assigneeName, queue?.done, queue?.waitingSince, contact.labels?.join(', ')].map(cellOf),
    ...[optOut?.at, optOut?.source, optOut?.word, names.get(optOut?.userId ?? '')].map(cellOf),
  ];
}

export const NOTE_COLUMNS = [
  'id',
  'contactId',
  'phone',
  'userId',
  'contactName',
  'authorId',
  'authorName',
  'text',
  'createdAt',
] as const;

/** @param names names of the authors, by id */
export function noteRow(note: ContactNote, names: Names): string[] {
  const more = { ...note, authorName: names.get(note.authorId) };
  return NOTE_COLUMNS.map((column) => cellOf(more[column]));
}

export const ACTIVITY_COLUMNS = [
  'id',
  'contactId',
  'phone',
  'userId',
  'contactName',
  'action',
  'actorId',
  'actorName',
  'assigneeId',
  'assigneeName',
  'createdAt',
] as const;

/** @param names names of the users, by id */
export function activityRow(activity: ContactActivity, names: Names): string[] {
  const [actorName, assigneeName] = [activity.actorId, activity.assigneeId].map((id) => names.get(id ?? ''));
  const more = { ...activity, actorName, assigneeName };
  return ACTIVITY_COLUMNS.map((column) => cellOf(more[column]));
}

/**
 * Returns the text to display for a message: its text or caption, otherwise the contact's reply or the name of the
 * file or template.
 */
function textOf(message: Message): string {
  const content = Object.entries(message).find(([name]) => name === message.type)?.[1] as unknown;
  const at = (name: string, value = content): string => cellOf(inside(value, name));
  return (
    message.caption ??
    (at('body') ||
      at('text', inside(content, 'body')) ||
      at('text') ||
      at('filename') ||
      at('name') ||
      answerOf(content))
  );
}

/** Returns a contact's selection, form response, call permission or order, or the product that a message offers. */
function answerOf(content: unknown): string {
  const from = (part: string, name: string): string => cellOf(inside(inside(content, part), name));
  const items = inside(content, 'productItems');
  const ordered = (Array.isArray(items) ? items : []).map(
    (item: unknown) => `${cellOf(inside(item, 'quantity'))} x ${cellOf(inside(item, 'productRetailerId'))}`,
  );
  return (
    from('buttonReply', 'title') ||
    from('listReply', 'title') ||
    from('nfmReply', 'responseJson') ||
    from('callPermissionReply', 'response') ||
    from('action', 'productRetailerId') ||
    ordered.join(', ')
  );
}

const inside = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
