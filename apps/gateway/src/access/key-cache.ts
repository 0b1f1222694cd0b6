import { Injectable } from '@nestjs/common';
import type { ApiClient } from './client';
import { UnknownKeys } from './unknown-keys';

/** How long a gateway that was not told of a change goes on with what it read. */
export const KEY_CACHE_TTL_MS = 30_000;
const MAX_ENTRIES = 10_000;

type Found = ApiClient | undefined;

interface Entry {
  answer: Promise<Found>;
  /** Absent while the answer is under way. */
  client?: ApiClient;
  expiresAt: number;
}

/** What is known of API keys, by their hash, so that not every request asks the database. */
@Injectable()
export class KeyCache {
  /** Oldest first, for the bound. */
  private readonly entries = new Map<string, Entry>();
  /** Apart from the others, or whoever tries many keys would push good ones out. */
  private readonly unknown = new UnknownKeys();

  /** The client of a key; loaded once for all who ask meanwhile. That there is none is remembered for a moment. */
  find(hash: string, load: () => Promise<Found>): Promise<Found> {
    const known = this.entries.get(hash);
    if (known && known.expiresAt > performance.now()) return known.answer;
    if (this.unknown.has(hash)) return Promise.resolve(undefined);
    const entry: Entry = { answer: load(), expiresAt: performance.now() + KEY_CACHE_TTL_MS };
    this.entries.delete(hash);
    this.entries.set(hash, entry);
    const oldest = this.entries.keys().next();
    if (this.entries.size > MAX_ENTRIES && !oldest.done) this.entries.delete(oldest.value);
    this.keepOnceKnown(hash, entry);
    return entry.answer;
  }

  /**
   * Forgets the clients that match, every answer that is under way, which may have been read before the change, and what was unknown:
   * it may be what the change is about.
   */
  evict(matches: (client: ApiClient) => boolean): void {
    for (const [hash, { client }] of this.entries) if (!client || matches(client)) this.entries.delete(hash);
    this.unknown.clear();
  }

  clear(): void {
    this.entries.clear();
    this.unknown.clear();
  }

  private keepOnceKnown(hash: string, entry: Entry): void {
    /** @returns whether nothing had changed meanwhile */
    const forget = (): boolean => this.entries.get(hash) === entry && this.entries.delete(hash);
    entry.answer.then((client) => {
      entry.client = client;
      if (!client && forget()) this.unknown.note(hash);
    }, forget);
  }
}
