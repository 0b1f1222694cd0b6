/**
 * Parses a URL. Avoids `URL.canParse`: once Node 20 has compiled the caller, it rejects every URL with a letter between
 * U+0080 and U+00FF.
 * @returns undefined for text that is no URL
 */
export function readUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
