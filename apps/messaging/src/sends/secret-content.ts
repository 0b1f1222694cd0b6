import type { SecretBox, SecretPlace } from '@switchboard/platform';

/** Shown in records in place of a secret (spec §5.1.4). */
export const MASK = '••••••';

/** Content fields with text or files from the sender. All other fields describe the kind of message. */
const WRITTEN_FIELDS = ['text', 'payload', 'coupon_code', 'body', 'link', 'filename', 'caption'];

export interface SentContent {
  content: object;
  caption: string | null;
}

/** Masks everything that the sender wrote. A template keeps its name, language and structure. */
export function maskContent({ content, caption }: SentContent): SentContent {
  const mask = (field: string, value: unknown): unknown =>
    WRITTEN_FIELDS.includes(field) && typeof value === 'string' ? MASK : value;
  return { content: JSON.parse(JSON.stringify(content, mask)) as object, caption: caption === null ? null : MASK };
}

/** Encrypts the content for the row of a send whose outcome is not known yet. */
export function sealContent({ content, caption }: SentContent, box: SecretBox, messageId: string): string {
  return box.seal(JSON.stringify({ content, caption }), contentPlace(messageId));
}

/**
 * Decrypts the content of this message.
 * @throws Error if it was encrypted with another key or for another message
 */
export function openContent(sealed: string, box: SecretBox, messageId: string): SentContent {
  return JSON.parse(box.open(sealed, contentPlace(messageId))) as SentContent;
}

/** Returns the row to which the encryption of a message's content is bound. */
export const contentPlace = (row: string): SecretPlace => ({ table: 'messages', column: 'sealed_content', row });
