/** A resource that a caller without a key makes the process hold. */
export interface Holding {
  /** Owner within the shared budget. */
  owner: string;
  /** Called on eviction, when the holding is already released. */
  giveUp(): void;
}

export interface BudgetLimits {
  /** Limit for all owners together. */
  most: number;
  /** Limit for one owner. */
  mostPerOwner: number;
}

/**
 * Limits what unauthenticated callers hold together. Above the limit, evicts the oldest holding of the largest owner. A
 * body that takes milliseconds is never the oldest, and a caller with many holdings blocks only itself.
 */
export class SharedBudget {
  private readonly owners = new Map<string, Map<Holding, number>>();
  private readonly sums = new Map<string, number>();
  private total = 0;

  constructor(private readonly limits: BudgetLimits) {}

  /** Adds to a holding. Evicts this or another one above the limit. */
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
