import { Inject, Injectable } from '@nestjs/common';
import { Broker } from '@switchboard/broker';
import { query } from '@switchboard/database';
import { entryBytes, MIB } from '@switchboard/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';

/**
 * Every replica hears of new credentials, and the send itself reads the number's row; this is for what no event tells.
 */
const TIME_TO_LIVE_MS = 30_000;
const MAX_BYTES = 16 * MIB;

/** $1 account, $2 the wanted number or null for the primary one */
const FIND_NUMBER = `
  SELECT id, phone_number_id AS "phoneNumberId", waba_id AS "wabaId", sealed_access_token AS "sealedAccessToken"
  FROM numbers WHERE account_id = $1 AND CASE WHEN $2::text IS NULL THEN is_primary ELSE phone_number = $2 END
    AND removed_at IS NULL`;

/** A business number as the send path knows it beforehand. */
export interface KnownNumber {
  id: string;
  phoneNumberId: string;
  wabaId: string;
  sealedAccessToken: string;
}

/** Copies of numbers for what is judged before a send's row is written. */
@Injectable()
export class NumberCache {
  private readonly entries = new LRUCache<string, KnownNumber>({
    maxSize: MAX_BYTES,
    sizeCalculation: (number, key) => entryBytes(key, number),
    ttl: TIME_TO_LIVE_MS,
  });
  /** How often something was forgotten: an answer that was under way meanwhile may be older than that. */
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

  /** Forgets the account's numbers, answers that are still under way included. */
  evict(accountId: string): void {
    this.evictions += 1;
    for (const key of [...this.entries.keys()]) if (key.startsWith(`${accountId} `)) this.entries.delete(key);
  }

  /** The account's number, its primary one when none is named; undefined when it has no such number. */
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
