import { Inject, Injectable } from '@nestjs/common';
import { AppError, ERRORS } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { CONFIG } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { GatewayConfig } from '../config';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { networkOf } from '../http/addresses';
import type { ApiClient } from '../request-context/client';
import { clientOf, type KeyRow, SELECT_CLIENTS } from './clients.queries';
import { GatheredReads } from './gathered-reads';
import { type Rate, waitMsOf } from '../rate-limits/gcra';
import { MemoryRates } from '../rate-limits/memory-rates';

/**
 * Reads clients from the database and bounds the cost of unknown keys. An address that exceeds its limit of unknown
 * keys receives 429 for further unknown keys. Valid keys from such an address still work, but are looked up in batches.
 * Each gateway process counts separately, as for all limits of anonymous callers.
 */
@Injectable()
export class ClientReads {
  private readonly tried = new MemoryRates();
  private readonly gathered = new GatheredReads<ApiClient>((hashes) => this.read(hashes));
  private readonly rate: Rate;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) { UNKNOWN_KEYS_PER_MINUTE: limit }: GatewayConfig,
  ) {
    this.rate = { limit, windowMs: 60_000, burst: limit };
  }

  /**
   * Returns the client with this key; undefined if the key is unknown, expired or revoked.
   * @param address address of the caller, if known
   * @throws AppError RATE_LIMITED after too many unknown keys from this address, UNAVAILABLE
   */
  async readClient(hash: Buffer, address: string | undefined): Promise<ApiClient | undefined> {
    const network = networkOf(address);
    // Count before the lookup, so that concurrent guesses are counted.
    const { admitted } = this.tried.take(network, this.rate);
    if (admitted) return this.readAtOnce(hash, network);
    const client = await this.gathered.find(hash);
    if (client) return client;
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMsOf(this.rate, this.tried.debtOf(network)) / 1_000));
    throw new AppError('RATE_LIMITED', {
      message: `${ERRORS.RATE_LIMITED.message}: too many unknown API keys from this address`,
      retryAfterSeconds,
    });
  }

  private async readAtOnce(hash: Buffer, network: string): Promise<ApiClient | undefined> {
    let isUnknown = false;
    try {
      const client = (await this.read([hash])).get(hash.toString('base64'));
      isUnknown = client === undefined;
      return client;
    } finally {
      // Valid keys and internal errors do not count against the address.
      if (!isUnknown) this.tried.refund(network, this.rate);
    }
  }

  private async read(hashes: readonly Buffer[]): Promise<ReadonlyMap<string, ApiClient>> {
    const rows = await withinDatabaseDeadline(query<KeyRow>(this.dataSource, SELECT_CLIENTS, [hashes]));
    return new Map(rows.map(({ sha256, ...row }) => [sha256.toString('base64'), clientOf(row)]));
  }
}
