import { Ring } from '../ring';

export const DEFAULT_VERIFY_TOKEN = 'my-token';
const MAX_REQUESTS = 200;
const MAX_BYTES = 32 * 1024 * 1024;
/** Approximate size of the headers and the list entry, in bytes. */
const OVERHEAD_BYTES = 2_048;

export interface ReceivedRequest {
  /** Id, which increases with each request. */
  id: number;
  /** ISO 8601. */
  at: string;
  method: string;
  /** Path with the query string. */
  path: string;
  /** Status of the response. */
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** The newest 200 received requests, 32 MiB at most, and the verify token of the challenge. */
export class ReceivedRequests {
  verifyToken = DEFAULT_VERIFY_TOKEN;
  private readonly requests = new Ring<ReceivedRequest>({ items: MAX_REQUESTS, weight: MAX_BYTES });
  private lastId = 0;

  add(request: Omit<ReceivedRequest, 'id'>): void {
    this.lastId += 1;
    this.requests.push({ id: this.lastId, ...request }, request.body.length + OVERHEAD_BYTES);
  }

  /** Lists requests, newest first. */
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
