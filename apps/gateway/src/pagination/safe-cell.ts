/** Without it, Excel on Windows takes a CSV file in UTF-8 for one in the system's encoding. */
export const BYTE_ORDER_MARK = '\uFEFF';

const FORMULA_CHARACTERS = '=+\\-@＝＋－＠';
/**
 * How a text begins that a spreadsheet program takes for a formula when it opens a CSV file, or when somebody edits the
 * cell.
 */
const FORMULA_BEGIN = new RegExp(`^\\s*[${FORMULA_CHARACTERS}]|^[\\t\\r\\n]`);
/**
 * Where a program set to another separator begins a new cell, with a formula in it. Our quotes do not stop it: to such
 * a program they stand in the middle of a cell. A separator ends the blanks before it, so that a run of them is looked
 * at once.
 */
const FORMULA_WITHIN = new RegExp(`[;|\\t\\r\\n](?=(?:[^\\S\\t\\r\\n]|")*[${FORMULA_CHARACTERS}])`, 'g');

/**
 * The text of a spreadsheet's cell that no program runs: one that looks like a formula gets an apostrophe before it.
 */
export function safeCell(text: string): string {
  return FORMULA_BEGIN.test(text) ? `'${text}` : text;
}

/**
 * A line of a CSV file (RFC 4180), in which no program finds a formula, whether it separates cells by comma, `;`, `|`
 * or tab.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(text: string): string {
  const safe = safeCell(text).replace(FORMULA_WITHIN, "$&'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
