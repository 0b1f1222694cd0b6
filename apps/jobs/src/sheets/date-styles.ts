import type { Archive } from './archive';
import { DateFormat } from './date-format';
import type { FormatBook } from './format-book';
import { NumberFormat } from './number-format';
import { unreadable } from './sheet-refusal';
import { type Attributes, listenTo, type XmlListener } from './xml-parts';

/**
 * Built-in date formats by id (ECMA-376, 18.8.30; the later ids in East Asian languages). The standard does not define
 * how regional formats are displayed, so these use a form in which month and day cannot be confused.
 */
const DATE_FORMATS = new Map<number, string>([
  ...[14, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, 'yyyy-mm-dd'] as const),
  ...[32, 34, 55].map((id) => [id, 'hh:mm'] as const),
  ...[33, 35, 56].map((id) => [id, 'hh:mm:ss'] as const),
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'yyyy-mm-dd hh:mm'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss.0'],
]);
/** Built-in number formats by id. Currency formats are those of an English program. */
const NUMBER_FORMATS = new Map<number, string>([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  ...[5, 6, 37, 38, 41, 42].map((id) => [id, '#,##0'] as const),
  ...[7, 8, 39, 40, 43, 44].map((id) => [id, '#,##0.00'] as const),
  [48, '##0.0E+0'],
]);
/** Maximum length of a format in spreadsheet programs. The rest is ignored. */
const FORMAT_MAX_CHARACTERS = 255;
/** Maximum number of styles or formats: more than any spreadsheet program allows. */
const STYLES_MAX = 65_536;
/**
 * Text in square brackets that displays elapsed hours, minutes or seconds. Any other text is a colour, a currency or a
 * condition.
 */
const ELAPSED_TIME = /^(h+|m+|s+)$/;
const DATE_CHARACTER = /[dmyhs]/;
const GENERAL = 'general';
/** Formats that display a number as stored. */
const PLAIN = /^(general|@)?$/i;

/** Returns true if a number format displays a date or a time. Reads each character at most twice. */
export function isDateFormat(code: string): boolean {
  const format = code.slice(0, FORMAT_MAX_CHARACTERS).toLowerCase();
  let at = 0;
  while (at < format.length) {
    const character = format.charAt(at);
    if (character === '"' || character === '[') {
      const end = format.indexOf(character === '[' ? ']' : '"', at + 1);
      // An unclosed part is literal.
      if (end === -1) return DATE_CHARACTER.test(format.slice(at));
      if (character === '[' && ELAPSED_TIME.test(format.slice(at + 1, end))) return true;
      at = end + 1;
    } else if ('\\_*'.includes(character)) at += 2;
    else if (format.startsWith(GENERAL, at)) at += GENERAL.length;
    else if (DATE_CHARACTER.test(character)) return true;
    else at += 1;
  }
  return false;
}

/** Formats by index of the cell style. A cell with any other style is displayed as stored. */
export interface CellStyles {
  dates: ReadonlyMap<number, DateFormat>;
  numbers: ReadonlyMap<number, NumberFormat>;
}

/**
 * Reads the formats of the cell styles.
 * @throws SheetRefusal when there are more formats than any program creates
 */
export async function readCellStyles(
  archive: Archive,
  part: string | undefined,
  { is1904 }: { is1904: boolean },
): Promise<CellStyles> {
  const listener = new StylesListener({ is1904, used: new Set() });
  if (part !== undefined) await listenTo(archive.readOther(part), listener);
  return listener;
}

class StylesListener implements XmlListener, CellStyles {
  readonly dates = new Map<number, DateFormat>();
  readonly numbers = new Map<number, NumberFormat>();
  private readonly dateFormats: Map<number, DateFormat>;
  private readonly numberFormats: Map<number, NumberFormat>;
  private inCellFormats = false;
  private formats = 0;
  private styles = 0;

  constructor(private readonly book: FormatBook) {
    this.dateFormats = new Map([...DATE_FORMATS].map(([id, code]) => [id, new DateFormat(code, book)]));
    this.numberFormats = new Map([...NUMBER_FORMATS].map(([id, code]) => [id, new NumberFormat(code, book)]));
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'cellXfs') this.inCellFormats = true;
    else if (name === 'numFmt') this.addFormat(attributes);
    else if (name === 'xf' && this.inCellFormats) this.addStyle(Number(attributes['numFmtId'] ?? 0));
  }

  close(name: string): void {
    if (name === 'cellXfs') this.inCellFormats = false;
  }

  text(): void {
    // Styles contain no text.
  }

  private addFormat({ numFmtId, formatCode = '' }: Attributes): void {
    this.formats += 1;
    if (this.formats > STYLES_MAX) throw unreadable('it has too many number formats');
    const id = Number(numFmtId);
    const code = formatCode.slice(0, FORMAT_MAX_CHARACTERS);
    // A file may redefine a built-in format.
    this.dateFormats.delete(id);
    this.numberFormats.delete(id);
    if (isDateFormat(code)) this.dateFormats.set(id, new DateFormat(code, this.book));
    else if (!PLAIN.test(code)) this.numberFormats.set(id, new NumberFormat(code, this.book));
  }

  private addStyle(id: number): void {
    if (this.styles >= STYLES_MAX) throw unreadable('it has too many cell styles');
    const date = this.dateFormats.get(id);
    const number = this.numberFormats.get(id);
    if (date) this.dates.set(this.styles, date);
    if (number) this.numbers.set(this.styles, number);
    this.styles += 1;
  }
}
