import { storableText } from '@switchboard/contracts';

const MAX_CHARACTERS = 240;

/**
 * Returns the name shown to the recipient: the end of the given name, storable, without path and control characters;
 * undefined when nothing is left.
 */
export function filenameOf(given: string | undefined): string | undefined {
  const name = storableText(given ?? '').replace(/[\u0000-\u001F\u007F]|.*[/\\]/g, '');
  // The cut may leave an unpaired surrogate, which cannot be stored.
  const end = name.slice(-MAX_CHARACTERS).replace(/^[\uDC00-\uDFFF]/, '');
  return end === '' ? undefined : end;
}
