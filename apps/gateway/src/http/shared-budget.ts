/** Something that a caller without a key makes the process hold. */
export interface Holding {
  /** Whose it is, among those that share the budget. */
  owner: string;
  /** Called when it must give way; nothing is held for it any more. */
  giveUp(): void;
}

export interface BudgetLimits {
  /** What all may hold together. */
  most: number;
  /** What one owner may hold. */
  mostPerOwner: number;
}

/**
 * What callers may hold together whom nobody knows. Above the limit the owner that holds the most gives way, with what
 * it has held the longest: a body that is on its way for milliseconds is never the one, and who holds on to many blocks
 * nobody but itself.
 */
export class SharedBudget {
  private readonly owners = new Map<string, Map<Holding, number>>();
  private readonly sums = new Map<string, number>();
  private total = 0;

  constructor(private readonly limits: BudgetLimits) {}

  /** Adds to what is held; this or another holding gives way when that is too much. */
  hold(holding: Holding, amount: number): void {
    const { owner } = holding;
    const held = this.owners.get(owner) ?? new Map<Holding, number>();
    this.owners.set(owner, held);
    held.set(holding, (held.get(holding) ?? 0) + amount);
    this.add(owner, amount);
    while ((this.sums.get(owner) ?? 0) > this.limits.mostPerOwner) this.dropOldestOf(owner);
    while (this.total > this.limits.most) this.dropOldestOf(this.heaviestOwner());
  }

  /** Nothing is held for it any more; does nothing when that is so already. */
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
