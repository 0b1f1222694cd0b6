import { unreadable } from './sheet-refusal';

/** State that all formats of one workbook share. */
export interface FormatBook {
  /** True if days are counted from 1904, as in old programs for the Macintosh. */
  is1904: boolean;
  /** Formats used so far. */
  used: Set<string>;
}

/**
 * Maximum number of formats: more than any sheet needs. The library caches each parsed format for the lifetime of its
 * thread.
 */
const USED_MAX = 64;

/**
 * Records a used format.
 * @throws SheetRefusal when the workbook uses more than `USED_MAX` formats
 */
export function markUsed({ used }: FormatBook, code: string): void {
  used.add(code);
  if (used.size > USED_MAX) throw unreadable('its cells have too many formats');
}
