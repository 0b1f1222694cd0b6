export interface OptOutWords {
  optOut: readonly string[];
  optIn: readonly string[];
}

/** Change that a message requests, and the word of the account's list that it contains. */
export interface OptOutChange {
  refuses: boolean;
  word: string;
}

/**
 * Reads an opt-out or opt-in from an inbound message (spec §3.7.4). Returns null for nearly all messages. Both the
 * payload and the text of a button count. A word in both lists opts out.
 */
export function optOutChangeOf(
  type: string,
  content: object | null,
  { optOut, optIn }: OptOutWords,
): OptOutChange | null {
  const texts = textsOf(type, content).map(comparable);
  const find = (words: readonly string[]): string | undefined => words.find((word) => texts.includes(comparable(word)));
  const [stop, start] = [find(optOut), find(optIn)];
  if (stop !== undefined) return { refuses: true, word: stop };
  return start === undefined ? null : { refuses: false, word: start };
}

/** Matches a letter, digit or combining mark, but no emoji or emoji modifier. */
const OF_A_WORD = new RegExp(String.raw`[[\p{L}\p{N}\p{M}]--[\p{Extended_Pictographic}\u{FE0E}\u{FE0F}\u{20E3}]]`, 'v');

/**
 * Removes everything around the words of a text. Checks each character once, because a regular expression would take
 * exponential time for a text of emoji.
 */
function withoutSurroundings(text: string): string {
  const characters = [...text];
  const isOfWord = (character: string): boolean => OF_A_WORD.test(character);
  return characters.slice(characters.findIndex(isOfWord), characters.findLastIndex(isOfWord) + 1).join('');
}

/**
 * Normalizes case, width and spaces. Removes the punctuation, quotes and emoji around a text, unless it has nothing
 * else.
 */
function comparable(text: string): string {
  const inner = withoutSurroundings(text) || text.trim();
  const plain = inner
    .normalize('NFKC')
    .replace(/\p{Pd}/gu, '-')
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, ' ');
  // Treat the dotted and the dotless I of Turkish as one letter.
  return plain.toUpperCase().replaceAll('İ', 'I');
}

function textsOf(type: string, content: object | null): string[] {
  const { body, payload, text, button_reply: reply } = (content ?? {}) as Record<string, unknown>;
  const { id, title } = (typeof reply === 'object' && reply !== null ? reply : {}) as Record<string, unknown>;
  const parts: Record<string, unknown[]> = { text: [body], button: [payload, text], interactive: [id, title] };
  return (parts[type] ?? []).filter((part): part is string => typeof part === 'string' && part !== '');
}
