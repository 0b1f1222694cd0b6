export interface OptOutWords {
  optOut: readonly string[];
  optIn: readonly string[];
}

/** What a message changes: it must be one of the words as a whole, in any case. */
export type OptOutChange = 'opt-out' | 'opt-in';

/**
 * Whether an inbound message is an opt-out or an opt-in; null for nearly all of them. A button counts by what it
 * carries and by what it shows. When a word stands in both lists, no marketing is the safe reading.
 */
export function optOutChangeOf(
  type: string,
  content: object | null,
  { optOut, optIn }: OptOutWords,
): OptOutChange | null {
  const texts = textsOf(type, content).map(plain);
  const holds = (words: readonly string[]): boolean => words.some((word) => texts.includes(plain(word)));
  if (holds(optOut)) return 'opt-out';
  return holds(optIn) ? 'opt-in' : null;
}

const plain = (text: string): string => text.normalize('NFKC').trim().replace(/\s+/g, ' ').toUpperCase();

function textsOf(type: string, content: object | null): string[] {
  const { body, payload, text, button_reply: reply } = (content ?? {}) as Record<string, unknown>;
  const { id, title } = (typeof reply === 'object' && reply !== null ? reply : {}) as Record<string, unknown>;
  const parts: Record<string, unknown[]> = { text: [body], button: [payload, text], interactive: [id, title] };
  return (parts[type] ?? []).filter((part) => typeof part === 'string' && part !== '') as string[];
}
