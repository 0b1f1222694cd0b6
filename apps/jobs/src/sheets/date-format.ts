import { format } from 'numfmt';
import { type FormatBook, noteUsed } from './format-book';

/** From the beginning of the usual calendar to that of the other one, and to that of our clocks. */
const DAYS_TO_1904 = 1_462;
const DAYS_TO_1970 = 25_569;
const DAY_MS = 86_400_000;
const ELAPSED_TIME = /\[(h+|m+|s+)\]/i;
/** Formats that each program shows as the region of its user has them. */
const SYSTEM_DATE = /\[\$-(F800|x-sysdate)\]/i;
const SYSTEM_TIME = /\[\$-(F400|x-systime)\]/i;

/** A number format that shows a date or a time. */
export class DateFormat {
  private readonly code: string;

  /** @param code as it stands in the file */
  constructor(
    code: string,
    private readonly book: FormatBook,
  ) {
    this.code = SYSTEM_DATE.test(code) ? 'yyyy-mm-dd' : SYSTEM_TIME.test(code) ? 'hh:mm:ss' : code;
  }

  /**
   * What the sheet displays (spec §8.3.6).
   * @param day a number of the sheet: whole days in its calendar, and the time as a fraction
   * @returns undefined when the format cannot be read
   * @throws SheetRefusal when the sheet uses more formats than any does
   */
  show(day: number): string | undefined {
    return this.showDay(this.book.is1904 && !ELAPSED_TIME.test(this.code) ? day + DAYS_TO_1904 : day);
  }

  /** The same of a time that the file gives in milliseconds since 1970. */
  showTime(time: number): string | undefined {
    return this.showDay(time / DAY_MS + DAYS_TO_1970);
  }

  /** Text that the sheet displays for a time of day without a date, given as a part of a day. */
  showTimeOfDay(part: number): string | undefined {
    return this.showDay(part);
  }

  private showDay(day: number): string | undefined {
    noteUsed(this.book, this.code);
    try {
      return format(this.code, day).trim();
    } catch {
      return undefined;
    }
  }
}
