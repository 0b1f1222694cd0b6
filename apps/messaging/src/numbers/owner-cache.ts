import { Inject, Injectable } from '@nestjs/common';
import { Broker } from '@switchboard/broker';
import { query } from '@switchboard/database';
import { entryBytes, MIB } from '@switchboard/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { FIND_OWNER, type NumberOwner } from './numbers.queries';

/** Every replica hears when a number is removed; this is for a corrected phone number, and for what no event tells. */
const KEPT_MS = 30_000;
const MAX_BYTES = 8 * MIB;

/** Whose number a callback is about; asked once per callback, so it is kept in memory. */
@Injectable()
export class OwnerCache {
  private readonly owners = new LRUCache<string, NumberOwner>({
    maxSize: MAX_BYTES,
    sizeCalculation: (owner, id) => entryBytes(id, owner),
    ttl: KEPT_MS,
  });
  /** How often something was forgotten: an answer that was under way meanwhile may be older than that. */
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

  /** @returns undefined for a number nobody has; that is asked again each time */
  async ownerOf(phoneNumberId: string): Promise<NumberOwner | undefined> {
    const known = this.owners.get(phoneNumberId);
    if (known) return known;
    const { evictions } = this;
    const [owner] = await query<NumberOwner>(this.dataSource, FIND_OWNER, [phoneNumberId]);
    if (owner && this.evictions === evictions) this.owners.set(phoneNumberId, owner);
    return owner;
  }
}
