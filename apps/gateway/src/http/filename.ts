import { storableText } from '@switchboard/contracts';

const MAX_CHARACTERS = 240;
/** Control characters, and direction marks, which can disguise the extension of a file. */
const HIDDEN = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Returns the file name shown to the recipient: the end of the given name, without path, control characters,
 * direction marks and text that cannot be stored. Returns undefined if nothing remains.
 */
export function filenameOf(given: string | undefined): string | undefined {
  const stored = storableText(given ?? '');
  const name = stored.slice(Math.max(stored.lastIndexOf('/'), stored.lastIndexOf('\\')) + 1).replace(HIDDEN, '');
  // The cut may leave an unpaired surrogate, which cannot be stored.
  const end = name.slice(-MAX_CHARACTERS).replace(/^[\uDC00-\uDFFF]/, '');
  return end === '' ? undefined : end;
}
