import type { RateRecord } from '@switchboard/contracts';
import { unitsOf } from './amounts';
import { marketOfCountry } from './markets';

export type Rate = Pick<RateRecord, 'market' | 'category' | 'currency' | 'amount' | 'validFrom'>;

export interface Price {
  /** In decimal notation, such as `0.0068`. */
  amount: string;
  currency: string;
}

/** Rates of an installation, for lookups. */
export interface RateCard {
  /** Rates of each market and category, the latest first. */
  readonly rates: ReadonlyMap<string, readonly Rate[]>;
  /** First day with a rate, by market. */
  readonly firstDays: ReadonlyMap<string, string>;
  /** Currency of all rates; null without rates. */
  readonly currency: string | null;
}

const keyOf = (market: string, category: string): string => `${market}\n${category}`;
/** Returns the day in UTC, as in a rate. */
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

export function rateCardOf(rates: readonly Rate[]): RateCard {
  const byKey = new Map<string, Rate[]>();
  const firstDays = new Map<string, string>();
  for (const rate of rates.toSorted((one, other) => (one.validFrom < other.validFrom ? 1 : -1))) {
    const key = keyOf(rate.market, rate.category);
    byKey.set(key, [...(byKey.get(key) ?? []), rate]);
    firstDays.set(rate.market, rate.validFrom);
  }
  return { rates: byKey, firstDays, currency: rates[0]?.currency ?? null };
}

/**
 * Returns the price of one message; null if the card has no rate for it.
 * @param category in the platform's terms, such as `utility` or `marketing_lite`
 */
export function priceOf(card: RateCard, market: string, category: string, at: Date): Price | null {
  const day = dayOf(at);
  const rate = card.rates.get(keyOf(market, category))?.find(({ validFrom }) => validFrom <= day);
  return rate ? { amount: rate.amount, currency: rate.currency } : null;
}

/** Category that the platform may charge instead of the given one. */
const ALSO: Readonly<Record<string, string>> = {
  marketing: 'marketing_lite',
  authentication: 'authentication-international',
};

/** Returns the highest price that can apply to a message; null if the card has no rate for its category. */
export function highestPriceOf(card: RateCard, market: string, category: string, at: Date): Price | null {
  const price = priceOf(card, market, category, at);
  const other = priceOf(card, market, ALSO[category] ?? category, at);
  return price && other && unitsOf(other.amount) > unitsOf(price.amount) ? other : price;
}

/**
 * Returns the market in which a message to a country is priced.
 * @param country ISO code; null if unknown
 */
export function marketOf(card: RateCard, country: string | null, at: Date): string {
  const day = dayOf(at);
  return marketOfCountry(country, (market) => (card.firstDays.get(market) ?? '9999') <= day);
}
