import { format } from 'numfmt';
import { type FormatBook, markUsed } from './format-book';

/** Days from the 1900 epoch to the 1904 epoch, and to the Unix epoch. */
const DAYS_TO_1904 = 1_462;
const DAYS_TO_1970 = 25_569;
const DAY_MS = 86_400_000;
const ELAPSED_TIME = /\[(h+|m+|s+)\]/i;
/** Formats that each program displays according to the region of its user. */
const SYSTEM_DATE = /\[\$-(F800|x-sysdate)\]/i;
const SYSTEM_TIME = /\[\$-(F400|x-systime)\]/i;

/** A number format that displays a date or a time. */
export class DateFormat {
  private readonly code: string;

  /** @param code the format code from the file */
  constructor(
    code: string,
    private readonly book: FormatBook,
  ) {
    this.code = SYSTEM_DATE.test(code) ? 'yyyy-mm-dd' : SYSTEM_TIME.test(code) ? 'hh:mm:ss' : code;
  }

  /**
   * Returns the text that the sheet displays (spec §8.3.6).
   * @param day the stored number: whole days in the workbook's calendar, and the time as a fraction
   * @returns undefined if the format cannot be parsed
   * @throws SheetRefusal when the sheet uses too many formats
   */
  show(day: number): string | undefined {
    return this.showDay(this.book.is1904 && !ELAPSED_TIME.test(this.code) ? day + DAYS_TO_1904 : day);
  }

  /** Returns the displayed text of a time in milliseconds since the Unix epoch. */
  showTime(time: number): string | undefined {
    return this.showDay(time / DAY_MS + DAYS_TO_1970);
  }

  /** Returns the displayed text of a time of day, given as a fraction of a day. */
  showTimeOfDay(part: number): string | undefined {
    return this.showDay(part);
  }

  private showDay(day: number): string | undefined {
    markUsed(this.book, this.code);
    try {
      return format(this.code, day).trim();
    } catch {
      return undefined;
    }
  }
}
