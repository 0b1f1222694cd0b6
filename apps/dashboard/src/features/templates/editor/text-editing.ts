import { bracedTextsOf, hasNames } from '@switchboard/template-rules';

/** Text with a selection, which is empty when both ends are equal. */
export interface Edited {
  text: string;
  start: number;
  end: number;
}

/** Inserts the next variable at the cursor, separated from adjacent variables; a text never ends with one. */
export function insertVariable({ text, start, end }: Edited): Edited {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const inserted = `${/\S$/.test(before) ? ' ' : ''}{{${nextName(before + after)}}}`;
  const gap = after.trim() === '' ? '.' : /^[\p{L}\p{N}{]/u.test(after) ? ' ' : '';
  const at = start + inserted.length;
  return { text: before + inserted + gap + after, start: at, end: at };
}

/** Returns the next number, or a name where the text uses names. */
function nextName(text: string): string {
  const names = bracedTextsOf(text);
  const beginning = hasNames(text) ? 'value_' : '';
  let number = 1;
  while (names.includes(beginning + number)) number += 1;
  return beginning + number;
}

/** Adds formatting marks around the selection, or removes them. */
export function toggleMark({ text, start, end }: Edited, mark: string): Edited {
  const [before, selected, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  const size = mark.length;
  if (before.endsWith(mark) && after.startsWith(mark))
    return { text: before.slice(0, -size) + selected + after.slice(size), start: start - size, end: end - size };
  return { text: before + mark + selected + mark + after, start: start + size, end: end + size };
}
