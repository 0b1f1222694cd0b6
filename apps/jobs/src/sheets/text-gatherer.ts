import { unreadable } from './sheet-refusal';

/**
 * Escape sequence for a character that XML cannot contain, as spreadsheet programs write it: `_x000D_` (ECMA-376,
 * ST_Xstring).
 */
const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;

/** Joins the runs of a text (`<t>`, `<r><t>`), without its phonetic guide (`<rPh>`). */
export class TextGatherer {
  private parts = '';
  private inText = false;
  private inPhonetic = false;

  constructor(private readonly maxCharacters: number) {}

  reset(): void {
    this.parts = '';
    this.inText = false;
    this.inPhonetic = false;
  }

  open(name: string): void {
    if (name === 'rPh') this.inPhonetic = true;
    else if (name === 't') this.inText = true;
  }

  close(name: string): void {
    if (name === 'rPh') this.inPhonetic = false;
    else if (name === 't') this.inText = false;
  }

  /** @throws SheetRefusal for a text longer than any program allows */
  add(text: string): void {
    if (!this.inText || this.inPhonetic) return;
    this.parts += text;
    if (this.parts.length > this.maxCharacters)
      throw unreadable(`one of its cells has more than ${this.maxCharacters} characters`);
  }

  text(): string {
    return unescaped(this.parts);
  }
}

export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(ESCAPED, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Trims and truncates a text. A result with exactly the maximum length may be incomplete. */
export function kept(text: string, characters: number): string {
  return text.trim().slice(0, characters);
}
