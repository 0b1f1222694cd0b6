import { storableText } from '@switchboard/contracts';
import contentDisposition from 'content-disposition';

/**
 * Builds the `Content-Disposition` of a file that browsers save and never show inline. A name that is not plain ASCII
 * gets an ASCII fallback, since clients read other bytes in a header differently (RFC 6266).
 */
export function attachment(filename?: string | null): string {
  if (!filename) return contentDisposition(undefined, { type: 'attachment' });
  // An unpaired surrogate cannot be encoded.
  const name = storableText(filename);
  return contentDisposition(name, { type: 'attachment', fallback: asciiOf(name) });
}

/** Removes accents and replaces other non-ASCII characters with `_`. */
function asciiOf(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, '_');
}
