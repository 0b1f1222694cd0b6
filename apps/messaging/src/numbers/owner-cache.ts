import { Inject, Injectable } from '@nestjs/common';
import { Broker } from '@switchboard/broker';
import { query } from '@switchboard/database';
import { entryBytes, MIB } from '@switchboard/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { FIND_OWNER, NOTE_CALLBACK, type NumberOwner } from './numbers.queries';

/** Every replica hears when a number is removed; this is for a corrected phone number, and for what no event tells. */
const KEPT_MS = 30_000;
const MAX_BYTES = 8 * MIB;
/** A number's last callback is written down so often at most, by each process. */
const NOTED_EVERY_MS = 60_000;
const NOTED_MOST = 10_000;

/** Whose number a callback is about; asked once per callback, so it is kept in memory. */
@Injectable()
export class OwnerCache {
  private readonly owners = new LRUCache<string, NumberOwner>({
    maxSize: MAX_BYTES,
    sizeCalculation: (owner, id) => entryBytes(id, owner),
    ttl: KEPT_MS,
  });
  /** Numbers whose last callback was written down a moment ago, or is about to be. */
  private readonly noted = new LRUCache<string, true>({ max: NOTED_MOST, ttl: NOTED_EVERY_MS });
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

  /** Writes down that the upstream platform reported something about the number just now. */
  async noteCallback({ id }: NumberOwner): Promise<void> {
    if (this.noted.has(id)) return;
    // Set first: of a thousand callbacks at once, and of those while the database refuses it, one tries.
    this.noted.set(id, true);
    await query(this.dataSource, NOTE_CALLBACK, [id]);
  }
}
