/**
 * Extracts phone numbers from pasted text, separated by lines or commas as in an address book or a spreadsheet. Removes
 * only the separators that a spreadsheet may contain (spec §8.3.4): without its brackets, `+44 (0)7911 123456` would be
 * another number.
 */
export function phonesIn(text: string): string[] {
  return text
    .split(/[\n,;\t]+/)
    .map((part) => part.replace(/[\s\p{Pd}]/gu, '').replace(/^\+/, ''))
    .filter((phone) => phone !== '');
}
