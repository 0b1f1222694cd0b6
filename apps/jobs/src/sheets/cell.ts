import { isUserId } from '@switchboard/contracts';
import { VARIABLE_MAX_CHARACTERS } from '../jobs/row-limits';
import type { DateFormat } from './date-format';
import type { NumberFormat } from './number-format';

/** A cell as stored in the file. */
export interface Cell {
  column: number;
  /** `n` number, `t` text, `b` boolean, `e` error, `d` date. */
  type: 'n' | 't' | 'b' | 'e' | 'd';
  /**
   * Stored text without surrounding blanks. If a text is too long for its column, it is truncated but still exceeds the
   * limit (sheet-limits.ts), so callers must check the length first.
   */
  raw: string;
  /** Set if the cell is displayed as a date or a time. */
  dateFormat?: DateFormat;
  /** Set if the number is displayed differently from its stored form. */
  numberFormat?: NumberFormat;
  isFormula: boolean;
}

/** Text of a cell, or the problem with the cell. In case of a problem, `text` is the content to show in the error. */
export interface CellText {
  text: string;
  problem?: string;
  /** Set if the sheet displays a different text. */
  isAsStored?: true;
}

/** The last date of spreadsheets (9999-12-31). A larger number is not a date, whatever its format. */
const LAST_DAY = 2_958_465;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** Maximum length of a number that is parsed. Spreadsheet programs write at most 24 characters. */
const NUMBER_CHARACTERS = 100;
/** Maximum number of digits that spreadsheet programs show. */
const SHOWN_DIGITS = 15;
const SHOWN_CHARACTERS = 64;

/** A time of day without a date, as stored in the file. */
const ISO_TIME = /^T?((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)Z?$/;
const DAY_MS = 86_400_000;

/** A date that the file stores as text instead of a number. */
const ISO_DATE = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)Z?)?$/;
const DATE = 'holds a date: write it as text';

/** Returns true if the cell displays nothing. A formula without a stored result may display something. */
export function isBlank({ type, raw, isFormula }: Cell): boolean {
  return raw.trim() === '' && (type === 't' || !isFormula);
}

/**
 * Returns the text of a cell that fills a variable. Dates and times are as displayed (spec §8.3.6); numbers follow the
 * rules for their format (spec §8.3.7).
 */
export function textOf(cell: Cell): CellText {
  const { type, raw } = cell;
  // Do not trim again: a truncated text that ends with blanks would then look complete.
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
 * Returns a phone number without spaces, dashes and a leading plus (spec §8.3.4), or a user id. The caller checks its
 * validity.
 */
export function phoneOf(cell: Cell): CellText {
  const { type, raw } = cell;
  if (type === 't') return phoneOfText(raw);
  const problem = problemOf(cell) ?? (type === 'b' ? 'holds TRUE or FALSE' : isDate(cell) ? DATE : undefined);
  if (problem) return { text: shownOf(raw), problem };
  if (!Number.isSafeInteger(Number(raw))) return { text: shownOf(raw), problem: 'holds a number that is not whole' };
  const text = String(Number(raw));
  const shown = cell.numberFormat?.countsAsDisplayed ? numberOf(cell).text : text;
  // Zeros that only the format displays may be part of a national number.
  if (shown.replace(/\D/g, '') === text) return { text };
  return {
    text: shownOf(shown),
    problem: `displays other digits than the number ${text} that it holds: write it as text`,
  };
}

/** Returns the user id in a cell. Rejects digits, because they might be another contact's phone number. */
export function userIdOf(cell: Cell): CellText {
  const { text, problem = isUserId(text) ? undefined : 'holds no user id such as US.10000000000000000001' } =
    phoneOf(cell);
  return { text, ...(problem !== undefined && { problem }) };
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

/** Returns true if the sheet displays a date or a time. Call it only for a cell without a problem. */
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

/** The format may display nothing for a date. */
function withText(text: string | undefined, otherwise: CellText): CellText {
  return text ? { text } : otherwise;
}

/** Spaces and dashes of every kind, and invisible direction marks. */
const DROPPED = /[\s\p{Zs}\p{Pd}\u2212\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;
const TEXT_DATE = /^(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}-\d{1,2}-\d{4})([T ].*)?$/;
/** Start of a user id. */
const USER_ID_START = /^[A-Z]{2}\./;
/** One more than the longest user id, so that a shortened one is not valid. */
const USER_ID_CHARACTERS = 136;
const EXPONENT = /^(\d)[.,](\d+)E\+?(\d{1,2})$/i;

/** Returns a text without surrounding blanks, invisible direction marks and byte-order marks. */
export function plainText(text: string): string {
  return text.replace(/[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g, '').trim();
}

function phoneOfText(raw: string): CellText {
  // The text is truncated, so its end is unknown.
  if (raw.length > VARIABLE_MAX_CHARACTERS)
    return { text: shownOf(raw), problem: 'holds a text that is too long for a number' };
  // Check before removing dashes: without them, a date could look like a number.
  if (TEXT_DATE.test(raw.trim())) return { text: shownOf(raw), problem: DATE };
  const named = plainText(raw);
  // Without its dashes and spaces, it could be the id of another contact.
  if (USER_ID_START.test(named)) return { text: named.slice(0, USER_ID_CHARACTERS) };
  const text = raw.replace(DROPPED, '').replace(/^\+/, '');
  const [, first, rest = '', exponent] = EXPONENT.exec(raw.trim()) ?? [];
  if (first === undefined) return { text: shownOf(text) };
  // The text is the rounded form of a number, so some digits may be lost.
  if (rest.length !== Number(exponent))
    return { text: shownOf(raw), problem: 'holds a number that was shortened to its first digits: write all of them' };
  return { text: first + rest };
}

/** Returns a number in decimal notation, without an exponent. */
function plainNumber(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return Number.isInteger(value) ? BigInt(value).toString() : value.toFixed(20).replace(/0+$/, '');
}

function shownOf(raw: string): string {
  return raw.trim().slice(0, SHOWN_CHARACTERS);
}
