export interface EndpointRef {
  id: string;
  accountId: string;
}

export interface LineLimits {
  /** Maximum requests in flight to an endpoint until its own limit is known. */
  perEndpoint: number;
  /** Maximum requests in flight in this process. */
  total: number;
}

/** Maximum share of the process's slots per account, so that slow endpoints of one account leave slots for others. */
const ACCOUNT_SHARE = 0.25;
/**
 * Maximum number of tracked endpoints: about 400 bytes each, 8 MB in total. The sweep reports further endpoints again
 * later.
 */
const MOST_PLACES = 20_000;

interface Place extends EndpointRef {
  inFlight: number;
  /** Estimated number of deliveries that are due and not yet claimed. */
  due: number;
  limit: number;
  isQueued: boolean;
}

/** Permission to claim up to `atMost` deliveries at this endpoint. */
export interface Turn extends EndpointRef {
  atMost: number;
}

/**
 * Schedules accounts round robin, and the endpoints within each account. It counts only the requests in flight in this
 * process; the claim counts those of other processes.
 */
export class FairQueue {
  private readonly places = new Map<string, Place>();
  /** Waiting endpoints by account. The map's order is the round-robin order. */
  private readonly queues = new Map<string, Place[]>();
  private readonly inFlightOf = new Map<string, number>();
  private total = 0;

  constructor(private readonly limits: LineLimits) {}

  get inFlight(): number {
    return this.total;
  }

  /**
   * Records that deliveries are due at an endpoint. Does nothing for a new endpoint while the maximum number is
   * tracked.
   */
  enqueue(endpoint: EndpointRef, count = 1): void {
    if (this.places.size >= MOST_PLACES && !this.places.has(endpoint.id)) return;
    const place = this.placeOf(endpoint);
    place.due += count;
    this.queue(place);
  }

  /** Removes the next endpoints from the queue, as long as slots are free. `claimed` returns them to the queue. */
  takeTurns(most: number): Turn[] {
    const turns: Turn[] = [];
    const planned = new Map<string, number>();
    let room = this.limits.total - this.total;
    let waiting = [...this.queues.keys()];
    while (turns.length < most && room > 0 && waiting.length > 0) {
      waiting = waiting.filter((accountId) => {
        if (turns.length >= most || room <= 0) return false;
        const share = this.shareLeft(accountId) - (planned.get(accountId) ?? 0);
        const place = share > 0 ? this.nextOf(accountId) : undefined;
        if (!place) return false;
        const atMost = Math.min(place.limit - place.inFlight, room, share);
        // The endpoint was enqueued while its slots were full. The next `release` requeues it.
        if (atMost <= 0) return true;
        turns.push({ id: place.id, accountId, atMost });
        planned.set(accountId, (planned.get(accountId) ?? 0) + atMost);
        room -= atMost;
        return true;
      });
    }
    // Move accounts that had a turn to the end.
    for (const accountId of planned.keys()) this.moveToEnd(accountId);
    return turns;
  }

  /** Records the result of a turn: the number of claims, and the endpoint's limit if the claim returned one. */
  claimed(turn: Turn, count: number, limit?: number): void {
    const place = this.placeOf(turn);
    place.limit = limit ?? place.limit;
    place.inFlight += count;
    this.total += count;
    this.inFlightOf.set(turn.accountId, (this.inFlightOf.get(turn.accountId) ?? 0) + count);
    place.due = Math.max(count >= turn.atMost ? 1 : 0, place.due - count);
    // Either nothing is due or another process is claiming there. A freed slot or the sweep enqueues the endpoint
    // again.
    if (count === 0 && place.inFlight === 0) place.due = 0;
    this.settle(place, count > 0);
  }

  /** Frees the slot of a finished request after its result was stored. */
  release(endpoint: EndpointRef): void {
    const place = this.placeOf(endpoint);
    place.inFlight -= 1;
    this.total -= 1;
    const left = (this.inFlightOf.get(endpoint.accountId) ?? 0) - 1;
    if (left > 0) this.inFlightOf.set(endpoint.accountId, left);
    else this.inFlightOf.delete(endpoint.accountId);
    this.settle(place, true);
  }

  private settle(place: Place, mayGoOn: boolean): void {
    if (place.due > 0 && mayGoOn) this.queue(place);
    else if (place.due === 0 && place.inFlight === 0 && !place.isQueued) this.places.delete(place.id);
  }

  private placeOf({ id, accountId }: EndpointRef): Place {
    const known = this.places.get(id);
    if (known) return known;
    const place = { id, accountId, inFlight: 0, due: 0, limit: this.limits.perEndpoint, isQueued: false };
    this.places.set(id, place);
    return place;
  }

  private queue(place: Place): void {
    if (place.isQueued || place.inFlight >= place.limit) return;
    place.isQueued = true;
    const queue = this.queues.get(place.accountId);
    if (queue) queue.push(place);
    else this.queues.set(place.accountId, [place]);
  }

  private nextOf(accountId: string): Place | undefined {
    const queue = this.queues.get(accountId);
    const place = queue?.shift();
    if (queue?.length === 0) this.queues.delete(accountId);
    if (place) place.isQueued = false;
    return place;
  }

  private moveToEnd(accountId: string): void {
    const queue = this.queues.get(accountId);
    if (!queue) return;
    this.queues.delete(accountId);
    this.queues.set(accountId, queue);
  }

  private shareLeft(accountId: string): number {
    return Math.max(1, Math.floor(this.limits.total * ACCOUNT_SHARE)) - (this.inFlightOf.get(accountId) ?? 0);
  }
}
