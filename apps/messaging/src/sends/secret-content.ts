import type { SecretBox, SecretPlace } from '@switchboard/platform';

/** What records show in the place of a secret (spec §5.1.4). */
export const MASK = '••••••';

/** The fields of a content that hold what the sender wrote; the others say what kind of message it is. */
const WRITTEN_FIELDS = ['text', 'payload', 'coupon_code', 'body', 'link', 'filename', 'caption'];

/** What is sent, apart from where to. */
export interface SentContent {
  content: object;
  caption: string | null;
}

/**
 * The same message with everything masked that its sender wrote: a template keeps its name, language and components.
 */
export function maskContent({ content, caption }: SentContent): SentContent {
  const mask = (field: string, value: unknown): unknown =>
    WRITTEN_FIELDS.includes(field) && typeof value === 'string' ? MASK : value;
  return { content: JSON.parse(JSON.stringify(content, mask)) as object, caption: caption === null ? null : MASK };
}

/** For the row of a send whose outcome is not known yet. */
export function sealContent({ content, caption }: SentContent, box: SecretBox, messageId: string): string {
  return box.seal(JSON.stringify({ content, caption }), contentPlace(messageId));
}

/**
 * Gives back what was sealed for this message.
 * @throws Error when it was sealed with another key, or for another message
 */
export function openContent(sealed: string, box: SecretBox, messageId: string): SentContent {
  return JSON.parse(box.open(sealed, contentPlace(messageId))) as SentContent;
}

/** Where a message's content is stored: it opens for this message alone. */
export const contentPlace = (row: string): SecretPlace => ({ table: 'messages', column: 'sealed_content', row });
