import { format, tokenize } from 'numfmt';
import { type FormatBook, noteUsed } from './format-book';

/** Their display depends on the region of the reader, or is not the number that the sheet stores. */
const REGIONAL = new Set(['group', 'scale', 'exp', 'slash', 'error', 'calendar', 'dbnum', 'natnum']);
const LITERAL = new Set(['string', 'escaped', 'char', 'plus']);
const SIGNS = new Set(['minus', 'paren']);

type Token = ReturnType<typeof tokenize>[number];

/** From here on the formatter writes an exponent, which a spreadsheet does not display. */
const LEAST_UNSHOWN = 1e21;

/** A number format that shows neither a date nor a time. */
export class NumberFormat {
  private isShown?: boolean;

  /** @param code as it is in the file */
  constructor(
    private readonly code: string,
    private readonly book: FormatBook,
  ) {}

  /**
   * Whether a cell counts as displayed: under a zero-padded format, one with literal text, and one in percent
   * (spec §8.3.7). A cell under any other format counts as stored.
   */
  get countsAsDisplayed(): boolean {
    this.isShown ??= isDisplayed(tokensOf(this.code));
    return this.isShown;
  }

  /**
   * Text that the sheet displays for a number.
   * @returns undefined for a number of more than 21 digits, and for a format that cannot be read or displays nothing
   * @throws SheetRefusal when the sheet uses too many formats
   */
  show(value: number): string | undefined {
    noteUsed(this.book, this.code);
    if (Math.abs(value) >= LEAST_UNSHOWN) return undefined;
    try {
      return format(this.code, value).trim() || undefined;
    } catch {
      return undefined;
    }
  }
}

function tokensOf(code: string): readonly Token[] {
  try {
    return tokenize(code);
  } catch {
    return [];
  }
}

function isDisplayed(tokens: readonly Token[]): boolean {
  if (tokens.some(isRegional)) return false;
  return tokens.some(({ type }) => type === 'percent') || hasLiteral(tokens) || isZeroPadded(tokens);
}

function isRegional({ type, value }: Token): boolean {
  // In `[$€-407]` a currency precedes the region; `[$-407]` is a region alone.
  return REGIONAL.has(type) || (type === 'locale' && !String(value).startsWith('-'));
}

/** In the sections for negative numbers and zero, signs and parentheses are no text. */
function hasLiteral(tokens: readonly Token[]): boolean {
  const hasConditions = tokens.some(({ type }) => type === 'condition');
  const firstBreak = tokens.findIndex(({ type }) => type === 'break');
  return tokens.some(({ type, value }, index) => {
    if (SIGNS.has(type)) return hasConditions || firstBreak === -1 || index < firstBreak;
    return LITERAL.has(type) && /\S/.test(String(value));
  });
}

/** Whether a section shows at least two digits before the decimal point. */
function isZeroPadded(tokens: readonly Token[]): boolean {
  let zeros = 0;
  let isFraction = false;
  for (const { type } of tokens) {
    if (type === 'break') [zeros, isFraction] = [0, false];
    else if (type === 'point') isFraction = true;
    else if (type === 'zero' && !isFraction) zeros += 1;
    if (zeros > 1) return true;
  }
  return false;
}
