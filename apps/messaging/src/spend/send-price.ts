import { countryOf, highestPriceOf, marketOf, priceOf, type RateCard } from '@switchboard/pricing';

/** Pricing category of messages without a template. */
const SERVICE = 'service';

/** A message to be priced. */
export interface PricedSend {
  /** Phone number or user id. */
  recipient: string;
  /** Category of the template in upper case; absent for other messages. */
  category?: string;
}

/**
 * Returns the highest price that can apply to a message sent at this time.
 * @returns `unknown`, an error text with market and category, if the card has no rate in the currency
 */
export function reservationOf(
  card: RateCard,
  { recipient, category: given }: PricedSend,
  { currency, at }: { currency: string; at: Date },
): { amount: string } | { unknown: string } {
  const market = marketOf(card, countryOf(recipient), at);
  const category = given?.toLowerCase() ?? SERVICE;
  const price = highestPriceOf(card, market, category, at);
  if (price?.currency === currency) return { amount: price.amount };
  return { unknown: `there is no rate in ${currency} for ${category} messages to ${market}` };
}

/** Returns the price of a message in the category that the platform charged; null without a rate. */
export function chargeOf(
  card: RateCard,
  { recipient, category }: { recipient: string; category: string | null },
  at: Date,
): string | null {
  const market = marketOf(card, countryOf(recipient), at);
  return category === null ? null : (priceOf(card, market, category, at)?.amount ?? null);
}

/** Returns the error text for a cap whose currency is not that of the rate card. */
export function foreignCurrency(currency: string, known: string | undefined): string {
  return known === undefined
    ? 'there is no rate card, so a spend cap cannot be checked: import one first'
    : `the rate card is in ${known}, not in ${currency}`;
}

/**
 * Returns the lowest amount that one of the next messages reserves. Without known recipients, it is that of the
 * cheapest market.
 * @returns null if there is no rate
 */
export function lowestPrice(
  card: RateCard,
  { category, nextRecipients = [] }: { category?: string; nextRecipients?: readonly string[] },
  { currency, at }: { currency: string; at: Date },
): string | null {
  const reserved = nextRecipients.flatMap((recipient) => {
    const price = reservationOf(card, { recipient, ...(category !== undefined && { category }) }, { currency, at });
    return 'amount' in price ? [price.amount] : [];
  });
  const amounts = nextRecipients.length > 0 ? reserved : ratesOf(card, category, at);
  return amounts.toSorted((one, other) => Number(one) - Number(other))[0] ?? null;
}

/** Returns the rates of a category in all markets. */
function ratesOf(card: RateCard, category: string | undefined, at: Date): string[] {
  const day = at.toISOString().slice(0, 10);
  return [...card.rates].flatMap(([key, rates]) =>
    key.endsWith(`\n${category?.toLowerCase() ?? SERVICE}`)
      ? (rates.find(({ validFrom }) => validFrom <= day)?.amount ?? [])
      : [],
  );
}
