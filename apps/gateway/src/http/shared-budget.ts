/** Resource that an unauthenticated caller makes the process hold, such as a body or a connection. */
export interface Holding {
  /** Owner whose share of the budget the holding counts against. */
  owner: string;
  /** Called on eviction, after the holding has been released. */
  giveUp(): void;
}

export interface BudgetLimits {
  /** Budget for all owners together. */
  most: number;
  /** Budget for a single owner. */
  mostPerOwner: number;
}

/**
 * Limits the resources that unauthenticated callers hold. Above the limit, evicts the oldest holding of the largest
 * owner. A body that arrives within milliseconds is never the oldest, and a caller with many holdings blocks only
 * itself.
 */
export class SharedBudget {
  private readonly owners = new Map<string, Map<Holding, number>>();
  private readonly sums = new Map<string, number>();
  private total = 0;

  constructor(private readonly limits: BudgetLimits) {}

  /** Adds an amount to a holding. Above the limit, evicts this holding or another one. */
  hold(holding: Holding, amount: number): void {
    const { owner } = holding;
    const held = this.owners.get(owner) ?? new Map<Holding, number>();
    this.owners.set(owner, held);
    held.set(holding, (held.get(holding) ?? 0) + amount);
    this.add(owner, amount);
    while ((this.sums.get(owner) ?? 0) > this.limits.mostPerOwner) this.dropOldestOf(owner);
    while (this.total > this.limits.most) this.dropOldestOf(this.heaviestOwner());
  }

  /** Releases a holding. Idempotent. */
  release(holding: Holding): void {
    const held = this.owners.get(holding.owner);
    const amount = held?.get(holding);
    if (!held || amount === undefined) return;
    held.delete(holding);
    if (held.size === 0) this.owners.delete(holding.owner);
    this.add(holding.owner, -amount);
  }

  private add(owner: string, amount: number): void {
    this.total += amount;
    const sum = (this.sums.get(owner) ?? 0) + amount;
    if (sum > 0) this.sums.set(owner, sum);
    else this.sums.delete(owner);
  }

  private heaviestOwner(): string {
    let heaviest = ['', -1] as [string, number];
    for (const entry of this.sums) if (entry[1] > heaviest[1]) heaviest = entry;
    return heaviest[0];
  }

  private dropOldestOf(owner: string): void {
    const oldest = this.owners.get(owner)?.keys().next();
    if (!oldest || oldest.done) return;
    this.release(oldest.value);
    oldest.value.giveUp();
  }
}
