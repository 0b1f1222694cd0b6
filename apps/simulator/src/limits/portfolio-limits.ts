import type { FaultyCallbacks } from '../callbacks/callback-faults';
import { refusal } from '../graph-error';
import type { BusinessStore } from '../numbers/business-store';
import { type BusinessNumber, type NumberStore, type Tier, TIERS } from '../numbers/number-store';
import type { Scheduler } from '../scheduler';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Error code of restricted sending. The platform does not document an error for a reached limit. */
const LIMIT_CODE = 131048;
/** Share of the limit that a portfolio must use before the platform raises it. */
const HIGH_USAGE = 0.5;

/** Contacts per 24 hours by tier. */
const PEOPLE: Record<Tier, number> = {
  TIER_250: 250,
  TIER_2K: 2_000,
  TIER_10K: 10_000,
  TIER_100K: 100_000,
  TIER_UNLIMITED: Infinity,
};

export interface PortfolioSettings {
  /** Enables the rejection of messages beyond the limit. */
  enforced: boolean;
  /** Time until the limit is raised after high usage. */
  raiseMs: number;
}

/**
 * Enforces messaging limits: how many contacts outside a service window the numbers of a portfolio may message within
 * 24 hours. Disabled by default, because load tests message many contacts.
 */
export class PortfolioLimits {
  /** By portfolio: messaged contacts with the start of their 24 hours, oldest first. */
  private readonly contacted = new Map<string, Map<string, number>>();
  /** Portfolios whose limit will be raised. */
  private readonly rising = new Set<string>();
  enforced: boolean;

  constructor(
    private readonly settings: PortfolioSettings,
    private readonly parts: {
      numbers: NumberStore;
      businesses: BusinessStore;
      scheduler: Scheduler;
      callbacks: Pick<FaultyCallbacks, 'emit'>;
    },
  ) {
    this.enforced = settings.enforced;
  }

  /** @throws GraphError 131048 for a new contact once the portfolio has reached its limit */
  take({ wabaId, graph }: BusinessNumber, waId: string, nowMs: number): void {
    if (!this.enforced) return;
    const portfolio = this.portfolioOf(wabaId);
    const people = this.contacted.get(portfolio) ?? new Map<string, number>();
    this.contacted.set(portfolio, people);
    for (const [known, atMs] of people) {
      if (nowMs - atMs < DAY_MS) break;
      people.delete(known);
    }
    if (people.has(waId)) return;
    const most = PEOPLE[graph.whatsapp_business_manager_messaging_limit as Tier] ?? Infinity;
    if (people.size >= most) throw refusal(LIMIT_CODE, 'The messaging limit of the business portfolio is reached');
    people.set(waId, nowMs);
    if (people.size >= most * HIGH_USAGE) this.raiseLater(portfolio);
  }

  /** Sets the tier of all numbers of a portfolio. */
  setTier(portfolio: string, tier: Tier): void {
    for (const { wabaId, graph } of this.parts.numbers.all())
      if (this.portfolioOf(wabaId) === portfolio) graph.whatsapp_business_manager_messaging_limit = tier;
  }

  portfolioOf(wabaId: string): string {
    return this.parts.businesses.byId(wabaId)?.portfolioId ?? wabaId;
  }

  reset(): void {
    this.contacted.clear();
    this.rising.clear();
    this.enforced = this.settings.enforced;
  }

  private raiseLater(portfolio: string): void {
    if (this.rising.has(portfolio)) return;
    this.rising.add(portfolio);
    this.parts.scheduler.after(this.settings.raiseMs, () => {
      this.rising.delete(portfolio);
      const numbers = this.parts.numbers.all().filter(({ wabaId }) => this.portfolioOf(wabaId) === portfolio);
      const tier = numbers[0]?.graph.whatsapp_business_manager_messaging_limit as Tier | undefined;
      const next = tier && TIERS[TIERS.indexOf(tier) + 1];
      if (!next) return;
      this.setTier(portfolio, next);
      for (const wabaId of new Set(numbers.map((number) => number.wabaId)))
        this.parts.callbacks.emit({
          kind: 'change',
          wabaId,
          time: Math.floor(Date.now() / 1_000),
          field: 'business_capability_update',
          value: { max_daily_conversations_per_business: next },
        });
    });
  }
}
