/** How a text begins that a spreadsheet program takes for a formula when it opens a CSV file, or when somebody edits the cell. */
const FORMULA_BEGIN = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/** The text of a cell that no program runs: one that looks like a formula gets an apostrophe before it. */
export function safeCell(text: string): string {
  return FORMULA_BEGIN.test(text) ? `'${text}` : text;
}

/** A line of a CSV file (RFC 4180). */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(text: string): string {
  const safe = safeCell(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
