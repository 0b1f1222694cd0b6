/**
 * Reads an address.
 * @returns undefined for text that is no address. Not by `URL.canParse`: once Node 20 has compiled the caller, that
 * refuses every address with a letter between U+0080 and U+00FF in it.
 */
export function readUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
