/** Sends to one phone within the window (spec §9.1.7). */
export const MAX_SENDS = 5;
export const SEND_WINDOW_SECONDS = 600;
/** Within so long a time the sends to one prefix are counted. */
export const PREFIX_WINDOW_SECONDS = 3_600;

const SUFFIX_DIGITS = 4;

/**
 * What numbers that are bought or made up in sequence have in common: the number without its last four digits.
 * @param phone in the form in which numbers are compared
 */
export function prefixOf(phone: string): string {
  return phone.slice(0, -SUFFIX_DIGITS);
}
