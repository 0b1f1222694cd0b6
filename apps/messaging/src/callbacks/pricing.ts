import type { MessagePricing } from '@switchboard/contracts';

/** Format of the platform's values. Other values are not stored. */
const WORD = /^[A-Za-z0-9_-]{1,64}$/;

const wordOf = (given: unknown): string | null => (typeof given === 'string' && WORD.test(given) ? given : null);

/** Reads the pricing of a status. Returns null if there is none. */
export function pricingOf(given: unknown): MessagePricing | null {
  if (typeof given !== 'object' || given === null) return null;
  const { category, billable, type, pricing_model: model } = given as Record<string, unknown>;
  const pricing: MessagePricing = {
    category: wordOf(category),
    billable: typeof billable === 'boolean' ? billable : null,
    type: wordOf(type),
    model: wordOf(model),
  };
  return Object.values(pricing).every((value) => value === null) ? null : pricing;
}
