import type { Schemas } from '../../../api/client';
import { countText } from '../../../lib/formats';

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

/** Such as `45 s`, `3 min`, `2 h` or `4 days`, rounded up. */
export function durationText(seconds: number | null): string {
  if (seconds === null) return 'Unknown';
  if (seconds < MINUTE) return `${seconds} s`;
  if (seconds < HOUR) return `${Math.ceil(seconds / MINUTE)} min`;
  if (seconds < DAY) return `${Math.ceil(seconds / HOUR)} h`;
  const days = Math.ceil(seconds / DAY);
  return days === 1 ? '1 day' : `${countText(days)} days`;
}
