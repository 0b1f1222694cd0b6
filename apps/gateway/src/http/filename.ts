import { storableText } from '@switchboard/contracts';

const MAX_CHARACTERS = 240;

/**
 * Returns the file name shown to the recipient: the end of the given name, without path, control characters and text
 * that cannot be stored. Returns undefined if nothing remains.
 */
export function filenameOf(given: string | undefined): string | undefined {
  const name = storableText(given ?? '').replace(/[\u0000-\u001F\u007F]|.*[/\\]/g, '');
  // The cut may leave an unpaired surrogate, which cannot be stored.
  const end = name.slice(-MAX_CHARACTERS).replace(/^[\uDC00-\uDFFF]/, '');
  return end === '' ? undefined : end;
}
