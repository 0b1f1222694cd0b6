/** Byte-order mark, without which Excel on Windows reads a UTF-8 CSV file in the system's encoding. */
export const BYTE_ORDER_MARK = '\uFEFF';

const FORMULA_CHARACTERS = '=+\\-@＝＋－＠';
/**
 * Start of a text that a spreadsheet program interprets as a formula when it opens a CSV file or a user edits the cell.
 */
const FORMULA_BEGIN = new RegExp(`^\\s*[${FORMULA_CHARACTERS}]|^[\\t\\r\\n]`);
/**
 * Formula after another separator, where a program configured for that separator starts a new cell. Quotes do not
 * prevent this, because such a program finds them in the middle of a cell. Blanks end at a separator, so that a run of
 * them is scanned once.
 */
const FORMULA_WITHIN = new RegExp(`[;|\\t\\r\\n](?=(?:[^\\S\\t\\r\\n]|")*[${FORMULA_CHARACTERS}])`, 'g');

/** Prefixes a text that looks like a formula with an apostrophe, so that spreadsheet programs do not run it. */
export function safeCell(text: string): string {
  return FORMULA_BEGIN.test(text) ? `'${text}` : text;
}

/** Formats a CSV line (RFC 4180) without formulas, also for programs that separate cells by `;`, `|` or tab. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(text: string): string {
  const safe = safeCell(text).replace(FORMULA_WITHIN, "$&'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
