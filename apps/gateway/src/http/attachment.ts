import { storableText } from '@switchboard/contracts';
import contentDisposition from 'content-disposition';

/**
 * `Content-Disposition` of a file that a browser saves and never shows under our name. A name that is not plain ASCII
 * has an ASCII fallback, too: clients read other bytes in a header differently (RFC 6266).
 */
export function attachment(filename?: string | null): string {
  if (!filename) return contentDisposition(undefined, { type: 'attachment' });
  // Half a character cannot be encoded.
  const name = storableText(filename);
  return contentDisposition(name, { type: 'attachment', fallback: asciiOf(name) });
}

/** Letters without their accents; anything else that is not ASCII as `_`. */
function asciiOf(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, '_');
}
