import type { Schemas } from '../../api/client';

type Price = Schemas['PriceFigures'];

/** The messages of a category: those that cost something, those that are free, those of which nothing is known. */
export interface PricedCategory {
  category: string | null;
  billed: number;
  free: number;
  untold: number;
  /** Why the free ones are free, where the platform said. */
  reasons: { type: string; messages: number }[];
}

/** The platform says it, or its type does: only what is `regular` costs something. */
const isBilled = ({ billable, type }: Price): boolean | null => billable ?? (type === null ? null : type === 'regular');

/** @returns each category once, the one with the most messages first */
export function pricedCategories(prices: readonly Price[]): PricedCategory[] {
  const found = new Map<string | null, PricedCategory>();
  for (const price of prices) {
    const { category, type, messages } = price;
    const one = found.get(category) ?? { category, billed: 0, free: 0, untold: 0, reasons: [] };
    found.set(category, one);
    const billed = isBilled(price);
    one[billed === null ? 'untold' : billed ? 'billed' : 'free'] += messages;
    if (billed !== false || type === null || type === 'regular') continue;
    const reason = one.reasons.find((known) => known.type === type);
    if (reason) reason.messages += messages;
    else one.reasons.push({ type, messages });
  }
  const all = ({ billed, free, untold }: PricedCategory): number => billed + free + untold;
  return [...found.values()].toSorted((one, other) => all(other) - all(one));
}
