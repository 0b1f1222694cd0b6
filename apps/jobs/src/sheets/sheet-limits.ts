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
  /** Bytes of the part with the shared texts when it is unpacked: they are kept in memory. */
  sharedTextBytes: number;
}

/** The longest text that any spreadsheet program writes into a cell. */
export const CELL_CHARACTERS_MAX = 32_767;
/** The last row that a sheet can have. */
export const LAST_ROW = 1_048_576;
/** The last column that a sheet can have (XFD). */
export const LAST_COLUMN = 16_384;
