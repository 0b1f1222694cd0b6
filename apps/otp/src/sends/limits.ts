/** Maximum sends to one phone within the window (spec §9.1.7). */
export const MAX_SENDS = 5;
export const SEND_WINDOW_SECONDS = 600;
/** Window in which the sends to one prefix are counted. */
export const PREFIX_WINDOW_SECONDS = 3_600;

const SUFFIX_DIGITS = 4;

/**
 * Returns the common part of numbers bought or generated in sequence: the number without its last four digits.
 * @param phone canonical phone number
 */
export function prefixOf(phone: string): string {
  return phone.slice(0, -SUFFIX_DIGITS);
}
