import { VARIABLE_MAX_CHARACTERS } from '../jobs/row-limits';

/** Limits up to which a spreadsheet is read before it is rejected. */
export interface SheetLimits {
  /** Unpacked bytes over all parts that are read. */
  inflatedBytes: number;
  /** Number of parts in the archive. */
  entries: number;
  /** Maximum compression ratio of a part over a megabyte. */
  ratio: number;
  /** Rows that are not blank, without the header. */
  rows: number;
  /** Columns with a header. */
  columns: number;
  /** Characters of one cell. */
  cellCharacters: number;
  /** Unpacked bytes of the shared texts, and the memory for storing them. */
  sharedTextBytes: number;
}

/** The last row that a sheet can have. */
export const LAST_ROW = 1_048_576;
/** The last column that a sheet can have (XFD). */
export const LAST_COLUMN = 16_384;

/**
 * Maximum characters stored of a cell below the header: one more than any column accepts, so that a truncated text is
 * still too long.
 */
export const KEPT_CHARACTERS = VARIABLE_MAX_CHARACTERS + 1;
/** Maximum length of a column name with a meaning. */
export const HEADER_MAX_CHARACTERS = 200;
/** Maximum unpacked size of parts other than the sheet and the shared texts. */
export const OTHER_PART_BYTES = 33_554_432;
/** Maximum warnings per file (spec §1.1.8). */
export const SHEET_WARNINGS_MAX = 10;
/** Form field used in warnings about the whole file. */
export const SHEET_FIELD = 'customerExcel';
