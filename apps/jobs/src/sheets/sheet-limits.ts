import { VARIABLE_MAX_CHARACTERS } from '../jobs/row-limits';

/** Limits for reading a spreadsheet. A file that exceeds one is rejected. */
export interface SheetLimits {
  /** Maximum number of unpacked bytes in all parts that are read. */
  inflatedBytes: number;
  /** Maximum number of parts in the archive. */
  entries: number;
  /** Maximum compression ratio of a part of more than a megabyte. */
  ratio: number;
  /** Maximum number of rows that are not blank, without the header. */
  rows: number;
  /** Maximum number of columns with a header. */
  columns: number;
  /** Maximum number of characters in one cell. */
  cellCharacters: number;
  /** Maximum number of unpacked bytes of the shared texts, and of the memory that stores them. */
  sharedTextBytes: number;
}

/** Last possible row of a sheet. */
export const LAST_ROW = 1_048_576;
/** Last possible column of a sheet (XFD). */
export const LAST_COLUMN = 16_384;

/**
 * Maximum number of characters to store of a cell below the header: one more than any column accepts, so that a
 * truncated text is still too long.
 */
export const KEPT_CHARACTERS = VARIABLE_MAX_CHARACTERS + 1;
/** Maximum number of characters to read of a column's name. */
export const HEADER_MAX_CHARACTERS = 200;
/** Maximum unpacked size of parts other than the sheet and the shared texts. */
export const OTHER_PART_BYTES = 33_554_432;
/** Maximum warnings per file (spec §1.1.8). */
export const SHEET_WARNINGS_MAX = 10;
/** Form field that warnings about the whole file refer to. */
export const SHEET_FIELD = 'customerExcel';
