import { Injectable } from '@nestjs/common';
import { entryBytes, MIB } from '@switchboard/platform';
import { LRUCache } from 'lru-cache';
import type { ApiClient } from '../request-context/client';
import { UnknownKeys } from './unknown-keys';

/** How long a gateway that was not told of a change goes on with what it read. */
export const KEY_CACHE_TTL_MS = 30_000;
const MAX_BYTES = 32 * MIB;

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
  private readonly entries = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ client }, hash) => entryBytes(hash, client ?? null),
  });
  /** Apart from the others, or whoever tries many keys would push good ones out. */
  private readonly unknown = new UnknownKeys();

  /** The client of a key; loaded once for all who ask meanwhile. That there is none is remembered for a moment. */
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
   * Forgets the clients that match, every answer that is under way, which may have been read before the change, and
   * what was unknown: it may be what the change is about.
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
    /** @returns whether nothing had changed meanwhile */
    const isKept = (): boolean => this.entries.peek(hash) === entry;
    const forget = (): boolean => isKept() && this.entries.delete(hash);
    entry.answer.then((client) => {
      if (!client && forget()) this.unknown.note(hash);
      // Now its size is known.
      if (client && isKept()) this.entries.set(hash, { ...entry, client });
    }, forget);
  }
}
