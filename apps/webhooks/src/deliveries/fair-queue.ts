/** Which endpoint, and whose. */
export interface EndpointRef {
  id: string;
  accountId: string;
}

export interface LineLimits {
  /** Most requests in flight to one endpoint, as long as nothing else is known of it. */
  perEndpoint: number;
  /** Most requests in flight in this process. */
  total: number;
}

/** One account takes at most this share of the process, so that its many slow endpoints leave room for others. */
const ACCOUNT_SHARE = 0.25;
/**
 * Endpoints that are known at a time, at most: about 400 bytes each, 8 MB in all. The sweep names the others again once
 * there is room.
 */
const MOST_PLACES = 20_000;

interface Place extends EndpointRef {
  inFlight: number;
  /** How many deliveries are believed to be due and not yet claimed. */
  expected: number;
  limit: number;
  isQueued: boolean;
}

/** A claim to be made: at this endpoint, at most so many. */
export interface Turn extends EndpointRef {
  atMost: number;
}

/**
 * Which endpoints have their turn next: in turns over the accounts, and in each account over its endpoints. Knows what
 * this process has in flight; what other processes have is counted by the claim itself.
 */
export class FairQueue {
  private readonly places = new Map<string, Place>();
  /** By account, the endpoints that wait for their turn; accounts in the order of their turns. */
  private readonly queues = new Map<string, Place[]>();
  private readonly inFlightOf = new Map<string, number>();
  private total = 0;

  constructor(private readonly limits: LineLimits) {}

  get inFlight(): number {
    return this.total;
  }

  /** Something is due at an endpoint. Forgotten while too many others wait. */
  expect(endpoint: EndpointRef, count = 1): void {
    if (this.places.size >= MOST_PLACES && !this.places.has(endpoint.id)) return;
    const place = this.placeOf(endpoint);
    place.expected += count;
    this.queue(place);
  }

  /** Whose turn it is, as far as there is room; they leave the line and come back with `claimed`. */
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
        // It was named again while it was claimed full: whoever frees a place goes on.
        if (atMost <= 0) return true;
        turns.push({ id: place.id, accountId, atMost });
        planned.set(accountId, (planned.get(accountId) ?? 0) + atMost);
        room -= atMost;
        return true;
      });
    }
    // Who had a turn goes to the end.
    for (const accountId of planned.keys()) this.moveToEnd(accountId);
    return turns;
  }

  /** What became of a turn: so many were claimed, under this limit of the endpoint where a claim has told it. */
  claimed(turn: Turn, count: number, limit?: number): void {
    const place = this.placeOf(turn);
    place.limit = limit ?? place.limit;
    place.inFlight += count;
    this.total += count;
    this.inFlightOf.set(turn.accountId, (this.inFlightOf.get(turn.accountId) ?? 0) + count);
    place.expected = Math.max(count >= turn.atMost ? 1 : 0, place.expected - count);
    // Nothing is due, or others are at work there: whoever frees a place, or the sweep, goes on.
    if (count === 0 && place.inFlight === 0) place.expected = 0;
    this.settle(place, count > 0);
  }

  /** A request ended and its result is stored. */
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
    if (place.expected > 0 && mayGoOn) this.queue(place);
    else if (place.expected === 0 && place.inFlight === 0 && !place.isQueued) this.places.delete(place.id);
  }

  private placeOf({ id, accountId }: EndpointRef): Place {
    const known = this.places.get(id);
    if (known) return known;
    const place = { id, accountId, inFlight: 0, expected: 0, limit: this.limits.perEndpoint, isQueued: false };
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
