import type { Schemas } from '../../../api/client';
import { counted, percentText } from '../../../lib/formats';

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** Formats a price range such as `12.50 USD` or `12.50–14.00 USD`. Returns `Unknown` without a rate. */
export function rangeText(
  { lowest, highest }: Pick<Schemas['PriceRange'], 'lowest' | 'highest'>,
  currency: string | null,
): string {
  if (lowest === null || highest === null || currency === null) return 'Unknown';
  return `${lowest === highest ? lowest : `${lowest}–${highest}`} ${currency}`;
}

/** Such as `12.50 USD`, or `Unknown` without a rate. */
export function amountText(amount: string | null, currency: string | null): string {
  return amount === null || currency === null ? 'Unknown' : `${amount} ${currency}`;
}

/** Decimals of an amount, as in the API. */
const DECIMALS = 8;

/** Converts an amount in decimal notation to a whole number of its smallest units. */
function unitsOf(amount: string): bigint {
  const [whole = '0', decimals = ''] = amount.split('.');
  return BigInt(whole + decimals.padEnd(DECIMALS, '0'));
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

/** Such as `45 s`, `3 min`, `2 h` or `4 days`, rounded up. */
export function durationText(seconds: number | null): string {
  if (seconds === null) return 'Unknown';
  if (seconds < MINUTE) return `${seconds} s`;
  if (seconds < HOUR) return `${Math.ceil(seconds / MINUTE)} min`;
  if (seconds < DAY) return `${Math.ceil(seconds / HOUR)} h`;
  const days = Math.ceil(seconds / DAY);
  return counted(days, 'day');
}
