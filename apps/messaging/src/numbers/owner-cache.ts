import { Inject, Injectable } from '@nestjs/common';
import { Broker } from '@switchboard/broker';
import { query } from '@switchboard/database';
import { entryBytes, MIB } from '@switchboard/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { FIND_OWNER, NOTE_CALLBACK, type NumberOwner } from './numbers.queries';

/**
 * Limits the staleness after a corrected phone number or another change that no event announces. A removal evicts the
 * entry on every replica.
 */
const KEPT_MS = 30_000;
const MAX_BYTES = 8 * MIB;
/** Minimum interval between updates of the last callback of a number, per process. */
const NOTED_EVERY_MS = 60_000;
const NOTED_MOST = 10_000;

/** Caches the owner of each number, because every callback needs it. */
@Injectable()
export class OwnerCache {
  private readonly owners = new LRUCache<string, NumberOwner>({
    maxSize: MAX_BYTES,
    sizeCalculation: (owner, id) => entryBytes(id, owner),
    ttl: KEPT_MS,
  });
  /** Numbers whose last callback was recorded recently or is being recorded. */
  private readonly noted = new LRUCache<string, true>({ max: NOTED_MOST, ttl: NOTED_EVERY_MS });
  /** Number of evictions. A read that was in progress during an eviction may be stale and is not cached. */
  private evictions = 0;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(Broker) broker: Pick<Broker, 'onBroadcastsMissed'>,
  ) {
    broker.onBroadcastsMissed(() => {
      this.evictions += 1;
      this.owners.clear();
    });
  }

  evict(phoneNumberId: string): void {
    this.evictions += 1;
    this.owners.delete(phoneNumberId);
  }

  /** Returns the owner of a number. Undefined for an unknown number, which is not cached. */
  async ownerOf(phoneNumberId: string): Promise<NumberOwner | undefined> {
    const known = this.owners.get(phoneNumberId);
    if (known) return known;
    const { evictions } = this;
    const [owner] = await query<NumberOwner>(this.dataSource, FIND_OWNER, [phoneNumberId]);
    if (owner && this.evictions === evictions) this.owners.set(phoneNumberId, owner);
    return owner;
  }

  /** Records the time of the last callback about a number. */
  async noteCallback({ id }: NumberOwner): Promise<void> {
    if (this.noted.has(id)) return;
    // Set before the query, so that only one of many concurrent callbacks writes, even while the database fails.
    this.noted.set(id, true);
    await query(this.dataSource, NOTE_CALLBACK, [id]);
  }
}
