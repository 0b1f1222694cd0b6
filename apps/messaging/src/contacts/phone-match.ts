/**
 * One key for the ways in which one number is written: the upstream platform reports some numbers otherwise than they are dialled.
 * Numbers are matched by it, never rewritten.
 * - Brazil: mobile numbers with and without the ninth digit (55 + area of 2 + 9 + 8 digits that begin with 6 to 9)
 * - Mexico: 52 and 521; Argentina: 54 and 549
 * @param phone digits only, country first
 */
export function phoneMatchKey(phone: string): string {
  return phone.replace(BRAZIL, '$1$2').replace(MEXICO, '52$1').replace(ARGENTINA, '54$1');
}

const BRAZIL = /^(55[1-9][0-9])9([6-9][0-9]{7})$/;
const MEXICO = /^521([0-9]{10})$/;
const ARGENTINA = /^549([0-9]{10})$/;
