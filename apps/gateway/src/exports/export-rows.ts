import type { ContactRecord } from '@switchboard/contracts';
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

const cellOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** Converts a message to cell texts in column order. */
export function messageRow(message: Message): string[] {
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
  return MESSAGE_COLUMNS.map((column) => cellOf(column in more ? more[column] : message[column as keyof Message]));
}

export function contactRow(contact: ContactRecord): string[] {
  return CONTACT_COLUMNS.map((column) => cellOf(contact[column]));
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
