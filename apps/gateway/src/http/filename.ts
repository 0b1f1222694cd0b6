import { storableText } from '@switchboard/contracts';

const MAX_CHARACTERS = 240;

/**
 * What the recipient may see of a file's name: its end, storable, without a path and control characters; undefined when
 * nothing is left.
 */
export function filenameOf(given: string | undefined): string | undefined {
  const name = storableText(given ?? '').replace(/[\u0000-\u001F\u007F]|.*[/\\]/g, '');
  // The cut may leave half a character, which nobody could store.
  const end = name.slice(-MAX_CHARACTERS).replace(/^[\uDC00-\uDFFF]/, '');
  return end === '' ? undefined : end;
}
