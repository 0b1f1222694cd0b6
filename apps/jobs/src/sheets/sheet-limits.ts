import { VARIABLE_MAX_CHARACTERS } from '../jobs/row-limits';

/** How much of a spreadsheet is looked at before it is refused; what is refused costs no more than this. */
export interface SheetLimits {
  /** Bytes that come out of the archive, over all of its parts that are read. */
  inflatedBytes: number;
  /** Parts of the archive. */
  entries: number;
  /** How many times larger than in the archive a part of more than a megabyte may be. */
  ratio: number;
  /** Rows that are not blank, without the header. */
  rows: number;
  /** Columns that have a header. */
  columns: number;
  /** Characters of one cell. */
  cellCharacters: number;
  /** Bytes of the part with the shared texts when it is unpacked, and of the memory that they are kept in. */
  sharedTextBytes: number;
}

/** The last row that a sheet can have. */
export const LAST_ROW = 1_048_576;
/** The last column that a sheet can have (XFD). */
export const LAST_COLUMN = 16_384;

/**
 * Of a cell under the header no more is kept: one character more than any column takes, so that what is cut is still
 * too long.
 */
export const KEPT_CHARACTERS = VARIABLE_MAX_CHARACTERS + 1;
/** The longest name of a column that means something. */
export const HEADER_MAX_CHARACTERS = 200;
/** No other part than the sheet and the shared texts is larger when it is unpacked. */
export const OTHER_PART_BYTES = 33_554_432;
/** Warnings that one file gives at most (spec §1.1.8). */
export const SHEET_WARNINGS_MAX = 10;
/** Field of a form that warnings about the whole file name. */
export const SHEET_FIELD = 'customerExcel';
