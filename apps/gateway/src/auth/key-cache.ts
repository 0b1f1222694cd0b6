import { Injectable } from '@nestjs/common';
import { entryBytes, MIB } from '@switchboard/platform';
import { LRUCache } from 'lru-cache';
import type { ApiClient } from '../request-context/client';
import { UnknownKeys } from './unknown-keys';

/** Maximum age of a cached client, for a gateway that missed the event about a change. */
export const KEY_CACHE_TTL_MS = 30_000;
const MAX_BYTES = 32 * MIB;

type Found = ApiClient | undefined;

interface Entry {
  answer: Promise<Found>;
  /** Absent while the client is being loaded. */
  client?: ApiClient;
  expiresAt: number;
}

/** Caches the clients of API keys by the keys' hashes. */
@Injectable()
export class KeyCache {
  private readonly entries = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ client }, hash) => entryBytes(hash, client ?? null),
  });
  /** A cache of its own, since a caller that tries many keys would evict the good ones. */
  private readonly unknown = new UnknownKeys();

  /** Returns the client of a key. Concurrent calls load it once; an unknown key is cached briefly. */
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
   * Removes the clients that match. Removes the loads in progress, which may have read the state before the change,
   * and all unknown keys, since the change may be about one of them.
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
    /** @returns whether the entry has not been removed or replaced */
    const isKept = (): boolean => this.entries.peek(hash) === entry;
    const forget = (): boolean => isKept() && this.entries.delete(hash);
    entry.answer.then((client) => {
      if (!client && forget()) this.unknown.note(hash);
      // Stored again, since its size is known only now.
      if (client && isKept()) this.entries.set(hash, { ...entry, client });
    }, forget);
  }
}
