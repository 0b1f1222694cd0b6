import { Injectable } from '@nestjs/common';
import { entryBytes, MIB } from '@switchboard/platform';
import { LRUCache } from 'lru-cache';
import type { ApiClient } from '../request-context/client';
import { UnknownKeys } from './unknown-keys';

/** Maximum age of a cached client in milliseconds, for a gateway that missed the event about a change. */
export const KEY_CACHE_TTL_MS = 30_000;
const MAX_BYTES = 32 * MIB;

type Found = ApiClient | undefined;

interface Entry {
  answer: Promise<Found>;
  /** Absent while the client is being loaded. */
  client?: ApiClient;
  expiresAt: number;
}

/** Caches API clients by key hash. */
@Injectable()
export class KeyCache {
  private readonly entries = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ client }, hash) => entryBytes(hash, client ?? null),
  });
  /** Separate cache, so that a caller who tries many keys does not evict valid ones. */
  private readonly unknown = new UnknownKeys();

  /** Returns the client of a key. Concurrent calls share one load. Unknown keys are cached briefly. */
  find(hash: string, load: () => Promise<Found>): Promise<Found> {
    const known = this.entries.get(hash);
    if (known && known.expiresAt > performance.now()) return known.answer;
    if (this.unknown.has(hash)) return Promise.resolve(undefined);
    const entry: Entry = { answer: load(), expiresAt: performance.now() + KEY_CACHE_TTL_MS };
    this.entries.set(hash, entry);
    this.keepOnceKnown(hash, entry);
    return entry.answer;
  }

  /**
   * Evicts matching clients, loads in progress, which may have read the earlier state, and all unknown keys, since the
   * change may concern one of them.
   */
  evict(matches: (client: ApiClient) => boolean): void {
    for (const [hash, { client }] of [...this.entries]) if (!client || matches(client)) this.entries.delete(hash);
    this.unknown.clear();
  }

  clear(): void {
    this.entries.clear();
    this.unknown.clear();
  }

  private keepOnceKnown(hash: string, entry: Entry): void {
    /** @returns false if the entry was removed or replaced */
    const isKept = (): boolean => this.entries.peek(hash) === entry;
    const forget = (): boolean => isKept() && this.entries.delete(hash);
    entry.answer.then((client) => {
      if (!client && forget()) this.unknown.note(hash);
      // Stores the client again, since its size is known only after loading.
      if (client && isKept()) this.entries.set(hash, { ...entry, client });
    }, forget);
  }
}
