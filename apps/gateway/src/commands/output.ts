export type Output = (text: string) => void;

/** Control characters other than tab and line feed, and characters that change the text direction. */
const UNPRINTABLE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Escapes text for a terminal, since stored text must not move the cursor or set the window title. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, escaped);
}

type Row = Record<string, unknown>;

/** Maximum nesting depth of blocks. Deeper values are customer data, such as event bodies, and are printed as JSON. */
const MOST_INDENTS = 3;
/** Maximum width of a table in characters. Wider rows are printed as blocks, which a terminal can wrap. */
const WIDEST_TABLE = 140;

/**
 * Prints a result as JSON with `success`, or as text. A list (a result with `nextCursor`) is printed as a table that
 * summarizes nested rows in a cell. Other results are printed completely, with rows in a table if it is narrow enough,
 * or else in blocks.
 * @param options.legend explanations of fields, for the text output
 */
export function printResult(
  out: Output,
  result: object,
  { json, legend = {} }: { json: boolean; legend?: Readonly<Record<string, string>> | undefined },
): void {
  out(json ? `${JSON.stringify({ success: true, ...result })}\n` : humanOf(result as Row, legend));
}

function humanOf(result: Row, legend: Readonly<Record<string, string>>): string {
  const isList = 'nextCursor' in result;
  const { nextCursor, ...shown } = result;
  const lines = Object.entries(shown).flatMap(([name, part]) => {
    const [first = '', ...rest] = linesOf({ [name]: part }, { isList, indents: 0 });
    return [legend[name] === undefined ? first : `${first}  (${legend[name]})`, ...rest];
  });
  if (isList && nextCursor !== null) lines.push(`more: --cursor ${String(nextCursor)}`);
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

function linesOf(value: Row, { isList, indents }: { isList: boolean; indents: number }): string[] {
  return Object.entries(value).flatMap(([name, part]) => {
    if (Array.isArray(part) && part.length === 0) return [isList ? `no ${wordsOf(name)}` : `${name}: none`];
    if (isRows(part)) {
      const table = tableOf(part);
      const isNarrow = (table[0] ?? '').length <= WIDEST_TABLE;
      if (isList || (isNarrow && !part.some(isDeep))) return titled(name, table, indents);
      const blocks = part.flatMap((row) => itemOf(linesOf(withoutEmpty(row), { isList, indents: indents + 1 })));
      return [`${name}:`, ...blocks];
    }
    if (isBlock(part) && indents < MOST_INDENTS)
      return [`${name}:`, ...indented(linesOf(part, { isList, indents: indents + 1 }))];
    return [`${name}: ${cellOf(part)}`];
  });
}

/** Omits empty values, which add nothing to a block. */
function withoutEmpty(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ''));
}

/** Adds a title unless the table is the only one of the result. */
function titled(name: string, table: string[], indents: number): string[] {
  return indents === 0 ? table : [`${name}:`, ...indented(table)];
}

function itemOf([first = '', ...rest]: string[]): string[] {
  return [`- ${first}`, ...indented(rest)];
}

function indented(lines: string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function isBlock(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function isRows(value: unknown): value is Row[] {
  return Array.isArray(value) && value.length > 0 && value.every(isBlock);
}

/** Checks whether a row contains values that a table cell could not show completely. */
function isDeep(row: Row): boolean {
  return Object.values(row).some((value) => isRows(value) || isBlock(value));
}

function tableOf(rows: Row[]): string[] {
  const names = [...new Set(rows.flatMap(Object.keys))];
  const lines = [names, ...rows.map((row) => names.map((name) => cellOf(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  if (isRows(value)) return summaryOf(value);
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cellOf).join(', ');
  // A raw line feed would look like another line of the result.
  return typeof value === 'object' ? JSON.stringify(value) : String(value).replaceAll('\n', '\\n');
}

/** Counts rows, by state if they have one: `2 delivered, 1 dropped`. */
function summaryOf(rows: Row[]): string {
  const counts = new Map<string, number>();
  for (const { state } of rows) if (typeof state === 'string') counts.set(state, (counts.get(state) ?? 0) + 1);
  if (counts.size === 0) return String(rows.length);
  return [...counts].map(([state, count]) => `${count} ${state}`).join(', ');
}

/** Splits a name into words: `deadLetters` becomes `dead letters`. */
function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
