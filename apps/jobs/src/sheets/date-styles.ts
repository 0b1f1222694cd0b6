import type { Archive } from './archive';
import { type DateBook, DateFormat } from './date-format';
import { unreadable } from './sheet-refusal';
import { type Attributes, listenTo, type XmlListener } from './xml-parts';

/**
 * Formats that every program knows by number (ECMA-376, 18.8.30; the later ones in East Asian languages). The file does
 * not say how those are displayed that depend on the region of the reader: they are shown so that nobody takes the
 * month for the day.
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
/** The longest format that spreadsheet programs take; of a longer one the rest is not looked at. */
const FORMAT_MAX_CHARACTERS = 255;
/** Spreadsheet programs take fewer styles, and fewer formats, than this. */
const STYLES_MAX = 65_536;
/** In square brackets: hours, minutes or seconds beyond a day; anything else is a colour, a currency or a condition. */
const ELAPSED_TIME = /^(h+|m+|s+)$/;
const DATE_CHARACTER = /[dmyhs]/;
const GENERAL = 'general';

/** Whether a number format shows a date or a time. Looks at each character at most twice. */
export function isDateFormat(code: string): boolean {
  const format = code.slice(0, FORMAT_MAX_CHARACTERS).toLowerCase();
  let at = 0;
  while (at < format.length) {
    const character = format.charAt(at);
    if (character === '"' || character === '[') {
      const end = format.indexOf(character === '[' ? ']' : '"', at + 1);
      // What is never closed stands for itself.
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

/**
 * The formats of the cell styles under which a number is a date, by the number of the style.
 * @throws SheetRefusal when there are more than any program makes
 */
export async function readDateStyles(
  archive: Archive,
  part: string | undefined,
  { is1904 }: { is1904: boolean },
): Promise<ReadonlyMap<number, DateFormat>> {
  const listener = new StylesListener({ is1904, used: new Set() });
  if (part !== undefined) await listenTo(archive.readOther(part), listener);
  return listener.dateStyles;
}

class StylesListener implements XmlListener {
  readonly dateStyles = new Map<number, DateFormat>();
  private readonly dateFormats: Map<number, DateFormat>;
  private inCellFormats = false;
  private formats = 0;
  private styles = 0;

  constructor(private readonly book: DateBook) {
    this.dateFormats = new Map([...DATE_FORMATS].map(([id, code]) => [id, new DateFormat(code, book)]));
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
    // Styles have no text.
  }

  private addFormat({ numFmtId: id, formatCode: code = '' }: Attributes): void {
    this.formats += 1;
    if (this.formats > STYLES_MAX) throw unreadable('it has too many number formats');
    if (isDateFormat(code))
      this.dateFormats.set(Number(id), new DateFormat(code.slice(0, FORMAT_MAX_CHARACTERS), this.book));
    // One of those that programs know by number may be given anew.
    else this.dateFormats.delete(Number(id));
  }

  private addStyle(id: number): void {
    if (this.styles >= STYLES_MAX) throw unreadable('it has too many cell styles');
    const format = this.dateFormats.get(id);
    if (format) this.dateStyles.set(this.styles, format);
    this.styles += 1;
  }
}
