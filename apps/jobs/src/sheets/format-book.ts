import { unreadable } from './sheet-refusal';

/** What the formats of one workbook have in common. */
export interface FormatBook {
  /** Its days are counted from 1904, as old programs for the Macintosh did. */
  is1904: boolean;
  /** Formats that were used so far. */
  used: Set<string>;
}

/** More than any sheet needs. The library caches each parsed format for the life of its thread. */
const USED_MAX = 64;

/** @throws SheetRefusal when the workbook uses more formats than any sheet needs */
export function noteUsed({ used }: FormatBook, code: string): void {
  used.add(code);
  if (used.size > USED_MAX) throw unreadable('its cells have too many formats');
}
