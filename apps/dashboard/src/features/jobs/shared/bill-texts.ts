import type { Schemas } from '../../../api/client';
import { counted, percentText } from '../../../lib/formats';

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/**
 * Formats a price range such as `12.50 USD` or `12.50–14.00 USD`. Returns `Unknown` without a rate. Messages without a
 * rate make the range a lower bound: `At least 12.50 USD`.
 */
export function rangeText(
  { lowest, highest, unrated = 0 }: Pick<Schemas['PriceRange'], 'lowest' | 'highest'> & { unrated?: number },
  currency: string | null,
): string {
  if (lowest === null || highest === null || currency === null) return 'Unknown';
  const [least, most] = [shortAmount(lowest), shortAmount(highest)];
  if (unrated > 0) return `At least ${least} ${currency}`;
  return `${least === most ? least : `${least}–${most}`} ${currency}`;
}

/** Such as `12.50 USD`, or `Unknown` without a rate. @param unrated messages without a rate, not in the amount */
export function amountText(amount: string | null, currency: string | null, unrated = 0): string {
  if (amount === null || currency === null) return 'Unknown';
  return `${unrated > 0 ? 'At least ' : ''}${shortAmount(amount)} ${currency}`;
}

/** Decimals of an amount, as in the API. */
const DECIMALS = 8;

/** Converts an amount in decimal notation to a whole number of its smallest units. */
function unitsOf(amount: string): bigint {
  const [whole = '0', decimals = ''] = amount.split('.');
  return BigInt(whole + decimals.padEnd(DECIMALS, '0'));
}

const ONE = 10n ** BigInt(DECIMALS);
const CENT = ONE / 100n;

/** Rounds an amount of 1 or more to two decimals. Less keeps all its decimals, so that it never looks free. */
function shortAmount(amount: string): string {
  const units = unitsOf(amount);
  return units < ONE ? amount : plainAmount(((units + CENT / 2n) / CENT) * CENT);
}

/** Formats units with at least two decimals. */
function plainAmount(units: bigint): string {
  const digits = units.toString().padStart(DECIMALS + 1, '0');
  const decimals = digits.slice(-DECIMALS).replace(/0+$/, '').padEnd(2, '0');
  return `${digits.slice(0, -DECIMALS)}.${decimals}`;
}

/**
 * Compares a reported amount with its estimate, such as `+0.50 USD` with the note `4.0% above the estimate`. An amount
 * within the range of the estimate has no difference. Returns undefined if one of them is unknown.
 */
export function differenceText(
  { lowest, highest }: Pick<Schemas['PriceRange'], 'lowest' | 'highest'>,
  amount: string | null,
  currency: string | null,
): { text: string; note: string } | undefined {
  if (lowest === null || highest === null || amount === null || currency === null) return undefined;
  const [least, most, reported] = [unitsOf(lowest), unitsOf(highest), unitsOf(amount)];
  if (reported >= least && reported <= most)
    return { text: 'None', note: least === most ? 'as estimated' : 'within the estimate' };
  const isAbove = reported > most;
  const bound = isAbove ? most : least;
  const difference = isAbove ? reported - bound : bound - reported;
  const share = bound > 0n ? `${percentText(Number(difference) / Number(bound))} ` : '';
  return {
    text: `${isAbove ? '+' : '−'}${plainAmount(difference)} ${currency}`,
    note: `${share}${isAbove ? 'above' : 'below'} the estimate`,
  };
}

/** Such as `Less than a minute`, `About 3 min`, `About 2 h` or `About 4 days`, rounded up. */
export function expectedDurationText(seconds: number | null): string {
  if (seconds === null) return 'Unknown';
  if (seconds < MINUTE) return 'Less than a minute';
  if (seconds < HOUR) return `About ${Math.ceil(seconds / MINUTE)} min`;
  if (seconds < DAY) return `About ${Math.ceil(seconds / HOUR)} h`;
  const days = Math.ceil(seconds / DAY);
  return `About ${counted(days, 'day')}`;
}
