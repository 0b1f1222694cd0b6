import type { Schemas } from '../../api/client';

type Price = Schemas['PriceFigures'];

/** Messages of a category: billed, free, and of unknown billing. */
export interface PricedCategory {
  category: string | null;
  billed: number;
  free: number;
  untold: number;
  /** Reasons why messages are free, where WhatsApp states them. */
  reasons: { type: string; messages: number }[];
}

/** Uses the explicit flag, otherwise the type: only `regular` messages are billed. */
const isBilled = ({ billable, type }: Price): boolean | null => billable ?? (type === null ? null : type === 'regular');

/** Returns one entry per category, the one with the most messages first. */
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
