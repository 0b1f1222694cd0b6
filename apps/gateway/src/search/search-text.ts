import { withoutMarks } from '../pagination/query-rules';

/** Returns a text without case, accents, pluses and blanks. */
export const foldText = (text: string): string => withoutMarks(text).replace(/[+\s]/g, '').toLowerCase();

/** Returns the part of a template name that a text may be, or undefined if no template name contains it. */
export function namePartIn(text: string): string | undefined {
  const part = foldText(text).replace(/[_-]/g, '');
  return /^[a-z0-9]{2,}$/.test(part) ? part : undefined;
}
