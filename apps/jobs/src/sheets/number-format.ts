import { format, tokenize } from 'numfmt';
import { type FormatBook, markUsed } from './format-book';

/** Tokens whose display depends on the reader's region or differs from the stored number. */
const REGIONAL = new Set(['group', 'scale', 'exp', 'slash', 'error', 'calendar', 'dbnum', 'natnum']);
const LITERAL = new Set(['string', 'escaped', 'char', 'plus']);
const SIGNS = new Set(['minus', 'paren']);

type Token = ReturnType<typeof tokenize>[number];

/** Numbers from here on: the formatter writes an exponent, which a spreadsheet does not display. */
const LEAST_UNSHOWN = 1e21;

/** A number format that displays neither a date nor a time. */
export class NumberFormat {
  private isShown?: boolean;

  /** @param code the format code from the file */
  constructor(
    private readonly code: string,
    private readonly book: FormatBook,
  ) {}

  /**
   * True if the displayed text is sent: for formats that are zero-padded, contain literal text or show a percentage
   * (spec §8.3.7). For any other format, the stored number is sent.
   */
  get countsAsDisplayed(): boolean {
    this.isShown ??= isDisplayed(tokensOf(this.code));
    return this.isShown;
  }

  /**
   * Returns the text that the sheet displays for a number.
   * @returns undefined for a number of more than 21 digits, or if the format cannot be parsed or displays nothing
   * @throws SheetRefusal when the sheet uses too many formats
   */
  show(value: number): string | undefined {
    markUsed(this.book, this.code);
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
  // In `[$€-407]`, a currency precedes the region. `[$-407]` contains only a region.
  return REGIONAL.has(type) || (type === 'locale' && !String(value).startsWith('-'));
}

/** In the sections for negative numbers and zero, signs and parentheses are not literal text. */
function hasLiteral(tokens: readonly Token[]): boolean {
  const hasConditions = tokens.some(({ type }) => type === 'condition');
  const firstBreak = tokens.findIndex(({ type }) => type === 'break');
  return tokens.some(({ type, value }, index) => {
    if (SIGNS.has(type)) return hasConditions || firstBreak === -1 || index < firstBreak;
    return LITERAL.has(type) && /\S/.test(String(value));
  });
}

/** Returns true if a section displays at least two digits before the decimal point. */
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
