import { storableText } from '@switchboard/contracts';
import contentDisposition from 'content-disposition';

/**
 * Builds a `Content-Disposition` header that makes browsers save a file instead of showing it. A name that is not plain
 * ASCII also gets an ASCII fallback, since clients decode other bytes in a header differently (RFC 6266).
 */
export function attachment(filename?: string | null): string {
  if (!filename) return contentDisposition(undefined, { type: 'attachment' });
  // An unpaired surrogate cannot be percent-encoded.
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
