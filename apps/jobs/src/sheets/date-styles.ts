import type { Archive } from './archive';
import { type Attributes, listenTo, type XmlListener } from './xml-parts';

/** Formats that every program knows by number and that show a date or a time (ECMA-376, 18.8.30; the later ones in East Asian languages). */
const DATE_FORMATS = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;
/** What stands for itself in a format: quoted, after a backslash, a filler or a space of a width, a colour, a currency or a condition. */
const LITERALS = /"[^"]*"|\\.|[_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi;

/** Whether a number format shows a date or a time. */
export function isDateFormat(code: string): boolean {
  return /[dmyhs]/i.test(code.replace(LITERALS, '').replace(/general/gi, ''));
}

/** The cell styles, by number, under which a number is a date. */
export async function readDateStyles(archive: Archive, part: string | undefined): Promise<ReadonlySet<number>> {
  const listener = new StylesListener();
  if (part !== undefined) await listenTo(archive.read(part), listener);
  return listener.dateStyles;
}

class StylesListener implements XmlListener {
  readonly dateStyles = new Set<number>();
  private readonly dateFormats = new Set<number>();
  private inCellFormats = false;
  private styles = 0;

  open(name: string, attributes: Attributes): void {
    if (name === 'cellXfs') this.inCellFormats = true;
    else if (name === 'numFmt' && isDateFormat(attributes['formatCode'] ?? '')) this.dateFormats.add(Number(attributes['numFmtId']));
    else if (name === 'xf' && this.inCellFormats) this.addStyle(Number(attributes['numFmtId'] ?? 0));
  }

  close(name: string): void {
    if (name === 'cellXfs') this.inCellFormats = false;
  }

  text(): void {
    // Styles have no text.
  }

  private addStyle(format: number): void {
    if (this.dateFormats.has(format) || DATE_FORMATS.some(([first, last]) => format >= first && format <= last)) this.dateStyles.add(this.styles);
    this.styles += 1;
  }
}
