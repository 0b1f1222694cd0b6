import type { Schemas } from '../../../api/client';

export type SavedReply = Schemas['SavedReply'];

/** Variables of a saved reply, with the samples of previews. */
export const REPLY_VARIABLES = { name: 'Asha', agent: 'Mira' } as const;

/** Values of the variables. A value that is unknown is empty. */
export type ReplyValues = Record<keyof typeof REPLY_VARIABLES, string>;

/**
 * Replaces the variables of a saved reply. An empty value is omitted with the blank before it, or at the start of a
 * line with the punctuation and blanks after it: "Hi {{name}}, thanks" becomes "Hi, thanks".
 */
export function filledReply(text: string, values: ReplyValues): string {
  const names = Object.keys(values) as (keyof ReplyValues)[];
  const missing = names.filter((name) => values[name] === '').join('|') || '(?!)';
  return text
    .replace(new RegExp(`^[^\\S\\n]*\\{\\{(?:${missing})\\}\\}[,;:]?[^\\S\\n]*`, 'gm'), '')
    .replace(new RegExp(`[^\\S\\n]?\\{\\{(?:${missing})\\}\\}`, 'g'), '')
    .replace(new RegExp(`\\{\\{(${names.join('|')})\\}\\}`, 'g'), (_, name: keyof ReplyValues) => values[name]);
}

/** A name in one or two braces, as in `{name}`. */
const PLACEHOLDER = /\{\{?\s*[\p{L}\p{N}_.-]{1,40}\s*\}\}?/gu;

/** Returns the placeholders of a text that the contact would receive, such as `{name}` or `{{customer}}`. */
export const unfilledIn = (text: string): string[] => text.match(PLACEHOLDER) ?? [];

/** Returns the placeholders of a saved reply that are no variables. */
export const unknownIn = (text: string): string[] =>
  unfilledIn(text).filter((placeholder) => !Object.keys(REPLY_VARIABLES).some((name) => placeholder === `{{${name}}}`));

/** Returns the replies whose name contains the words, names that start with them first. */
export function matchingReplies(replies: readonly SavedReply[], typed: string): SavedReply[] {
  const wanted = typed.toLowerCase();
  const at = ({ name }: SavedReply): number => name.toLowerCase().indexOf(wanted);
  return replies
    .filter((reply) => at(reply) >= 0)
    .sort((one, other) => Number(at(one) > 0) - Number(at(other) > 0) || one.name.localeCompare(other.name));
}
