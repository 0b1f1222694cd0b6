import { unreadable } from './sheet-refusal';

/** State shared by the formats of one workbook. */
export interface FormatBook {
  /** Days are counted from 1904, as in old programs for the Macintosh. */
  is1904: boolean;
  /** Formats used so far. */
  used: Set<string>;
}

/** More than any sheet needs. The library caches each parsed format for the lifetime of its thread. */
const USED_MAX = 64;

/**
 * Records a used format.
 * @throws SheetRefusal when the workbook uses more formats than any sheet needs
 */
export function markUsed({ used }: FormatBook, code: string): void {
  used.add(code);
  if (used.size > USED_MAX) throw unreadable('its cells have too many formats');
}
