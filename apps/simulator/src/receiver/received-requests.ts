import { Ring } from '../ring';

export const DEFAULT_VERIFY_TOKEN = 'my-token';
const MAX_REQUESTS = 200;
const MAX_BYTES = 32 * 1024 * 1024;
/** What the headers and the place in the list count for, about. */
const OVERHEAD_BYTES = 2_048;

/** A request that the receiver got. */
export interface ReceivedRequest {
  /** Grows with each. */
  id: number;
  /** ISO 8601. */
  at: string;
  method: string;
  /** With the query. */
  path: string;
  /** How it was answered. */
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** What the receiver got: the newest 200 requests, 32 MiB at most, with the token that its challenge wants. */
export class ReceivedRequests {
  verifyToken = DEFAULT_VERIFY_TOKEN;
  private readonly requests = new Ring<ReceivedRequest>({ items: MAX_REQUESTS, weight: MAX_BYTES });
  private lastId = 0;

  add(request: Omit<ReceivedRequest, 'id'>): void {
    this.lastId += 1;
    this.requests.push({ id: this.lastId, ...request }, request.body.length + OVERHEAD_BYTES);
  }

  /** The newest first. */
  list(): ReceivedRequest[] {
    return [...this.requests.newestFirst()];
  }

  clear(): void {
    this.requests.clear();
  }

  reset(): void {
    this.clear();
    this.verifyToken = DEFAULT_VERIFY_TOKEN;
  }
}
