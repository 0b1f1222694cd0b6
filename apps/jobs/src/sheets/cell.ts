import { VARIABLE_MAX_CHARACTERS } from '../jobs/row-limits';
import type { DateFormat } from './date-format';
import type { NumberFormat } from './number-format';

/** A cell as it stands in the file. */
export interface Cell {
  column: number;
  /** `n` number, `t` text, `b` boolean, `e` error, `d` date. */
  type: 'n' | 't' | 'b' | 'e' | 'd';
  /**
   * As it is written there, without blanks around it. Of a text too long for its column only as much that it is still
   * too long (sheet-limits.ts): whoever uses it looks at its length first.
   */
  raw: string;
  /** Of a cell that is displayed as a date or a time. */
  dateFormat?: DateFormat;
  /** Of a cell that is displayed as a number in another form than the stored one. */
  numberFormat?: NumberFormat;
  isFormula: boolean;
}

/** What a cell says, or why it cannot be taken; with what stands there, for the refusal of its row. */
export interface CellText {
  text: string;
  problem?: string;
  /** Set where the sheet displays something else than the text. */
  isAsStored?: true;
}

/** The last day that a spreadsheet can show (9999-12-31): a greater number is no date, whatever its format. */
const LAST_DAY = 2_958_465;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** Programs write no more than 24 characters of a number. */
const NUMBER_CHARACTERS = 100;
/** Spreadsheet programs show no more digits of a number than these. */
const SHOWN_DIGITS = 15;
const SHOWN_CHARACTERS = 64;

/** A time of day without a date, as the file writes it. */
const ISO_TIME = /^T?((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)Z?$/;
const DAY_MS = 86_400_000;

/** A date as the file writes it that does not write it as a number. */
const ISO_DATE = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)Z?)?$/;
const DATE = 'holds a date: write it as text';

/** Whether nothing stands in the cell that anybody could see; a formula whose result is not there may have one. */
export function isBlank({ type, raw, isFormula }: Cell): boolean {
  return raw.trim() === '' && (type === 't' || !isFormula);
}

/**
 * Text of a cell that fills a variable: a date or a time as displayed (spec §8.3.6), a number as its format wants it
 * (spec §8.3.7).
 */
export function textOf(cell: Cell): CellText {
  const { type, raw } = cell;
  // Not trimmed again: of a cut text the end may be blanks, and then it would pass for whole.
  if (type === 't') return { text: raw };
  const problem = problemOf(cell);
  if (problem) return { text: shownOf(raw), problem };
  if (type === 'b') return { text: raw === '1' ? 'TRUE' : 'FALSE' };
  if (isDate(cell)) return dateOf(cell);
  return numberOf(cell);
}

function numberOf({ raw, numberFormat }: Cell): CellText {
  const value = Number(Number(raw).toPrecision(SHOWN_DIGITS));
  const text = plainNumber(value);
  const shown = numberFormat ? numberFormat.show(value) : text;
  if (shown === text) return { text };
  return numberFormat?.countsAsDisplayed && shown !== undefined ? { text: shown } : { text, isAsStored: true };
}

/**
 * A phone number, without the spaces, dashes and leading plus that people write (spec §8.3.4); whether it is one is
 * judged later.
 */
export function phoneOf(cell: Cell): CellText {
  const { type, raw } = cell;
  if (type === 't') return phoneOfText(raw);
  const problem = problemOf(cell) ?? (type === 'b' ? 'holds TRUE or FALSE' : isDate(cell) ? DATE : undefined);
  if (problem) return { text: shownOf(raw), problem };
  if (!Number.isSafeInteger(Number(raw))) return { text: shownOf(raw), problem: 'holds a number that is not whole' };
  const text = String(Number(raw));
  const shown = cell.numberFormat?.countsAsDisplayed ? numberOf(cell).text : text;
  // Zeros that only the format shows may be the beginning of a national number.
  if (shown.replace(/\D/g, '') === text) return { text };
  return {
    text: shownOf(shown),
    problem: `displays other digits than the number ${text} that it holds: write it as text`,
  };
}

function problemOf({ type, raw, isFormula }: Cell): string | undefined {
  if (isFormula && raw === '')
    return 'holds a formula without its result: open the file in a spreadsheet program and save it';
  if (type === 'e') return 'holds an error';
  if (type === 'b' || type === 'd') return undefined;
  if (raw.length > NUMBER_CHARACTERS || !NUMBER.test(raw) || !Number.isFinite(Number(raw)))
    return 'holds a number that cannot be read';
  return undefined;
}

/** Whether the sheet displays a date or a time; of a cell without a problem. */
function isDate({ type, raw, dateFormat }: Cell): boolean {
  return type === 'd' || (type === 'n' && dateFormat !== undefined && Math.abs(Number(raw)) < LAST_DAY + 1);
}

function dateOf({ type, raw, dateFormat }: Cell): CellText {
  const unreadable = { text: shownOf(raw), problem: 'holds a date that cannot be read: write it as text' };
  if (type === 'n' && Number(raw) < 0)
    return { text: shownOf(raw), problem: 'holds a date before 1900, which no program displays' };
  if (type === 'n') return withText(dateFormat?.show(Number(raw)), unreadable);
  const [, timeOfDay] = ISO_TIME.exec(raw) ?? [];
  if (timeOfDay !== undefined) {
    const part = Date.parse(`1970-01-01T${timeOfDay}Z`) / DAY_MS;
    return withText(dateFormat ? dateFormat.showTimeOfDay(part) : timeOfDay, unreadable);
  }
  const [, day, time = '00:00'] = ISO_DATE.exec(raw) ?? [];
  const parsed = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(parsed)) return unreadable;
  return withText(dateFormat ? dateFormat.showTime(parsed) : shownOf(raw).replace('T', ' '), unreadable);
}

/** A format may show nothing of a date. */
function withText(text: string | undefined, otherwise: CellText): CellText {
  return text ? { text } : otherwise;
}

/** Spaces of every kind, dashes of every kind, and the marks that only tell in which direction a text runs. */
const DROPPED = /[\s\p{Zs}\p{Pd}\u2212\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;
const TEXT_DATE = /^(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}-\d{1,2}-\d{4})([T ].*)?$/;
const EXPONENT = /^(\d)[.,](\d+)E\+?(\d{1,2})$/i;

function phoneOfText(raw: string): CellText {
  // Nothing is known of what follows.
  if (raw.length > VARIABLE_MAX_CHARACTERS)
    return { text: shownOf(raw), problem: 'holds a text that is too long for a number' };
  // Without its dashes a date could pass for a number.
  if (TEXT_DATE.test(raw.trim())) return { text: shownOf(raw), problem: DATE };
  const text = raw.replace(DROPPED, '').replace(/^\+/, '');
  const [, first, rest = '', exponent] = EXPONENT.exec(raw.trim()) ?? [];
  if (first === undefined) return { text: shownOf(text) };
  // As text it is only what once was shown of a number: some of its digits may be lost, and the number another's.
  if (rest.length !== Number(exponent))
    return { text: shownOf(raw), problem: 'holds a number that was shortened to its first digits: write all of them' };
  return { text: first + rest };
}

/** A number without exponent, as people write it. */
function plainNumber(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return Number.isInteger(value) ? BigInt(value).toString() : value.toFixed(20).replace(/0+$/, '');
}

function shownOf(raw: string): string {
  return raw.trim().slice(0, SHOWN_CHARACTERS);
}
