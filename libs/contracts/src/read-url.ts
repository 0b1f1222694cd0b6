/**
 * Parses a URL. Avoids `URL.canParse`, which in Node 20 rejects every URL with a letter between U+0080 and U+00FF once
 * the caller has been optimized.
 * @returns undefined if the text is not a URL
 */
export function readUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
