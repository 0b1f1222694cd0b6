/**
 * Phones in pasted text: one a line, or between commas, as an address book or a sheet gives them. Drops what a sheet
 * may have between digits (spec §8.3.4) and nothing else: without its brackets, `+44 (0)7911 123456` is another number.
 */
export function phonesIn(text: string): string[] {
  return text
    .split(/[\n,;\t]+/)
    .map((part) => part.replace(/[\s\p{Pd}]/gu, '').replace(/^\+/, ''))
    .filter((phone) => phone !== '');
}
