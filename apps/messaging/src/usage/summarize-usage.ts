import {
  type GetUsageReply,
  MAX_USAGE_GROUPS,
  type PriceFigures,
  type UsageFigures,
  type UsageGrouping,
} from '@switchboard/contracts';
import { Amount, marketOf, priceOf, type RateCard } from '@switchboard/pricing';
import type { UsageRow } from './usage.queries';

/** Returns the usage of a month in groups, priced by the rate card. */
export function summarizeUsage(
  rows: readonly UsageRow[],
  { card, by, most = MAX_USAGE_GROUPS }: { card: RateCard; by: UsageGrouping; most?: number },
): GetUsageReply {
  const { currency } = card;
  const total = new Usage();
  const groups = new Map<string, Usage>();
  for (const row of rows) {
    const at = new Date(row.day);
    const market = marketOf(card, row.country || null, at);
    const name = by === 'market' ? market : row.name;
    const group = groups.get(name) ?? new Usage();
    groups.set(name, group);
    const rate = isBilled(row) ? priceOf(card, market, row.category, at)?.amount : undefined;
    for (const usage of [total, group]) usage.add(row, rate);
  }
  const named = [...groups].map(([name, usage]) => ({ name: name || null, ...usage.figures(currency) }));
  const sorted = named.toSorted(
    (one, other) =>
      other.billable - one.billable ||
      other.delivered - one.delivered ||
      ((one.name ?? '') < (other.name ?? '') ? -1 : 1),
  );
  return {
    currency,
    total: total.figures(currency),
    groups: sorted.slice(0, most),
    moreGroups: Math.max(0, sorted.length - most),
  };
}

/** Uses the explicit flag, otherwise the type: only `regular` messages are billed. */
const isBilled = ({ billable, type }: UsageRow): boolean =>
  billable === '' ? type === 'regular' : billable === 'true';

/** Figures of a group while its rows are added. */
class Usage {
  private delivered = 0;
  private billable = 0;
  private unrated = 0;
  private readonly amount = new Amount();
  private readonly pricing = new Map<string, PriceFigures>();

  /** @param rate price of one message; absent without a rate or for free messages */
  add(row: UsageRow, rate: string | undefined): void {
    const { category, type, billable, delivered } = row;
    this.delivered += delivered;
    if (isBilled(row)) this.billable += delivered;
    if (isBilled(row) && rate === undefined) this.unrated += delivered;
    if (rate !== undefined) this.amount.add(rate, delivered);
    const key = [category, type, billable].join('\n');
    const known = this.pricing.get(key);
    if (known) known.messages += delivered;
    else
      this.pricing.set(key, {
        category: category || null,
        type: type || null,
        billable: billable === '' ? null : billable === 'true',
        messages: delivered,
      });
  }

  figures(currency: string | null): UsageFigures {
    const { delivered, billable, unrated } = this;
    const isRated = currency !== null && (billable === 0 || unrated < billable);
    return {
      delivered,
      billable,
      amount: isRated ? this.amount.toString() : null,
      unrated,
      pricing: [...this.pricing.values()].toSorted((one, other) => other.messages - one.messages),
    };
  }
}
