export interface SlotLimits {
  perEndpoint: number;
  total: number;
}

/**
 * How many requests this process has in flight, per endpoint and in all, so that a slow endpoint only holds up itself.
 * Remembers which busy endpoints were asked for more meanwhile: whoever holds a slot there goes on with what is due.
 */
export class EndpointSlots {
  private readonly taken = new Map<string, number>();
  private readonly refusals = new Map<string, number>();
  private total = 0;

  constructor(private readonly limits: SlotLimits) {}

  /** @returns whether there was a slot; the caller gives it back with `release` */
  tryTake(endpointId: string): boolean {
    const taken = this.taken.get(endpointId) ?? 0;
    if (taken >= this.limits.perEndpoint || this.total >= this.limits.total) {
      if (taken > 0) this.refusals.set(endpointId, this.refusalsOf(endpointId) + 1);
      return false;
    }
    this.taken.set(endpointId, taken + 1);
    this.total += 1;
    return true;
  }

  release(endpointId: string): void {
    const left = (this.taken.get(endpointId) ?? 0) - 1;
    this.total -= 1;
    if (left > 0) return void this.taken.set(endpointId, left);
    this.taken.delete(endpointId);
    this.refusals.delete(endpointId);
  }

  /** How often a slot was refused since the endpoint's work was last known to be done; more than 0 means that more may be due. */
  refusalsOf(endpointId: string): number {
    return this.refusals.get(endpointId) ?? 0;
  }

  /** Nothing more was due when `seen` refusals were counted; later refusals stand. */
  settleRefusals(endpointId: string, seen: number): void {
    if (this.refusalsOf(endpointId) === seen) this.refusals.delete(endpointId);
  }

  get inFlight(): number {
    return this.total;
  }
}
