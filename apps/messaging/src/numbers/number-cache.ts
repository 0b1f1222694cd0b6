import { Inject, Injectable } from '@nestjs/common';
import { Broker } from '@switchboard/broker';
import { query } from '@switchboard/database';
import { entryBytes, MIB } from '@switchboard/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';

/**
 * Limits the staleness after changes that no event announces. New credentials evict entries on every replica, and the
 * send itself reads the number's row.
 */
const TIME_TO_LIVE_MS = 30_000;
const MAX_BYTES = 16 * MIB;

/** Finds a number. $1 account, $2 phone number, or null for the primary one */
const FIND_NUMBER = `
  SELECT id, phone_number_id AS "phoneNumberId", waba_id AS "wabaId", sealed_access_token AS "sealedAccessToken"
  FROM numbers WHERE account_id = $1 AND CASE WHEN $2::text IS NULL THEN is_primary ELSE phone_number = $2 END
    AND removed_at IS NULL`;

/** A cached number, for the checks before a send. */
export interface KnownNumber {
  id: string;
  phoneNumberId: string;
  wabaId: string;
  sealedAccessToken: string;
}

/** Caches numbers for the checks that run before the row of a send is written. */
@Injectable()
export class NumberCache {
  private readonly entries = new LRUCache<string, KnownNumber>({
    maxSize: MAX_BYTES,
    sizeCalculation: (number, key) => entryBytes(key, number),
    ttl: TIME_TO_LIVE_MS,
  });
  /** Number of evictions. A read that was in progress during an eviction may be stale and is not cached. */
  private evictions = 0;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(Broker) broker: Pick<Broker, 'onBroadcastsMissed'>,
  ) {
    broker.onBroadcastsMissed(() => {
      this.evictions += 1;
      this.entries.clear();
    });
  }

  /** Evicts the numbers of an account. Reads in progress are not cached. */
  evict(accountId: string): void {
    this.evictions += 1;
    for (const key of [...this.entries.keys()]) if (key.startsWith(`${accountId} `)) this.entries.delete(key);
  }

  /**
   * Returns a number of the account, or the primary one if none is given. Undefined if the account has no such number.
   */
  async find(accountId: string, phoneNumber: string | null): Promise<KnownNumber | undefined> {
    const key = `${accountId} ${phoneNumber ?? ''}`;
    const known = this.entries.get(key);
    if (known) return known;
    const { evictions } = this;
    const [number] = await query<KnownNumber>(this.dataSource, FIND_NUMBER, [accountId, phoneNumber]);
    if (this.evictions !== evictions) return number;
    this.entries.delete(key);
    if (!number) return undefined;
    this.entries.set(key, number);
    return number;
  }
}
