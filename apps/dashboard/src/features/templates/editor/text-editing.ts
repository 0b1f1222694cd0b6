import { bracedTextsOf, hasNames } from '@switchboard/template-rules';

/** A text with what is selected in it; nothing, when both ends are one. */
export interface Edited {
  text: string;
  start: number;
  end: number;
}

/** Puts the next variable where the cursor is, apart from its neighbours; a text never ends with one. */
export function insertVariable({ text, start, end }: Edited): Edited {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const inserted = `${/\S$/.test(before) ? ' ' : ''}{{${nextName(before + after)}}}`;
  const gap = after.trim() === '' ? '.' : /^[\p{L}\p{N}{]/u.test(after) ? ' ' : '';
  const at = start + inserted.length;
  return { text: before + inserted + gap + after, start: at, end: at };
}

/** A number, or a name where the text has names. */
function nextName(text: string): string {
  const names = bracedTextsOf(text);
  const beginning = hasNames(text) ? 'value_' : '';
  let number = 1;
  while (names.includes(beginning + number)) number += 1;
  return beginning + number;
}

/** Puts marks around what is selected, or takes them away. */
export function toggleMark({ text, start, end }: Edited, mark: string): Edited {
  const [before, selected, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  const size = mark.length;
  if (before.endsWith(mark) && after.startsWith(mark))
    return { text: before.slice(0, -size) + selected + after.slice(size), start: start - size, end: end - size };
  return { text: before + mark + selected + mark + after, start: start + size, end: end + size };
}
