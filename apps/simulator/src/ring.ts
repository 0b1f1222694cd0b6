/** The newest items, bounded by their number and their total weight. Evicts older ones. */
export class Ring<T> {
  private items: { item: T; weight: number }[] = [];
  /** Index of the oldest retained item. Evicted items before this index are removed in batches. */
  private start = 0;
  private weight = 0;

  constructor(private readonly most: { items: number; weight: number }) {}

  push(item: T, weight: number): void {
    this.items.push({ item, weight });
    this.weight += weight;
    while (this.size() > this.most.items || (this.weight > this.most.weight && this.size() > 1)) this.dropOldest();
    if (this.start > this.most.items) this.compact();
  }

  size(): number {
    return this.items.length - this.start;
  }

  *newestFirst(): Generator<T> {
    for (let index = this.items.length - 1; index >= this.start; index -= 1) yield this.items[index]!.item;
  }

  clear(): void {
    this.items = [];
    this.start = 0;
    this.weight = 0;
  }

  private dropOldest(): void {
    this.weight -= this.items[this.start]!.weight;
    // Allow garbage collection before the list is compacted.
    this.items[this.start] = undefined as never;
    this.start += 1;
  }

  private compact(): void {
    this.items = this.items.slice(this.start);
    this.start = 0;
  }
}
