import type { Archive } from './archive';
import { unreadable } from './sheet-refusal';
import { type Attributes, listenTo, type XmlListener } from './xml-parts';

/** Formats that every program knows by number and that show a date or a time (ECMA-376, 18.8.30; the later ones in East Asian languages). */
const DATE_FORMATS = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;
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

/** The cell styles, by number, under which a number is a date. @throws SheetRefusal when there are more than any program makes */
export async function readDateStyles(archive: Archive, part: string | undefined): Promise<ReadonlySet<number>> {
  const listener = new StylesListener();
  if (part !== undefined) await listenTo(archive.readOther(part), listener);
  return listener.dateStyles;
}

class StylesListener implements XmlListener {
  readonly dateStyles = new Set<number>();
  private readonly dateFormats = new Set<number>();
  private inCellFormats = false;
  private formats = 0;
  private styles = 0;

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
    if (isDateFormat(code)) this.dateFormats.add(Number(id));
  }

  private addStyle(format: number): void {
    if (this.styles >= STYLES_MAX) throw unreadable('it has too many cell styles');
    if (this.dateFormats.has(format) || DATE_FORMATS.some(([first, last]) => format >= first && format <= last)) this.dateStyles.add(this.styles);
    this.styles += 1;
  }
}
