import { Inject, Injectable } from '@nestjs/common';
import { query } from '@switchboard/database';
import { LOGGER, type Logger } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { hashOf, parseAuthorization } from '../api-keys/api-key';
import type { ApiClient } from '../request-context/client';
import { ClientReads } from './client-reads';
import { NOTE_USE } from './clients.queries';
import { KeyCache } from './key-cache';

const NOTE_USE_EVERY_MS = 60_000;

/** Finds the API client of a request by its key, in `KeyCache` or else in the database. */
@Injectable()
export class ClientLookup {
  /** Time at which this process last recorded a use, by client. */
  private readonly notedAt = new WeakMap<ApiClient, number>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly cache: KeyCache,
    private readonly reads: ClientReads,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Returns the client of an `Authorization` header; undefined if the key is missing, unknown, expired or revoked.
   * @param address address of the caller, if known
   * @throws AppError RATE_LIMITED after too many unknown keys from this address
   */
  async findClient(authorization: string | undefined, address: string | undefined): Promise<ApiClient | undefined> {
    const key = parseAuthorization(authorization);
    if (key === undefined) return undefined;
    const hash = hashOf(key);
    const client = await this.cache.find(hash.toString('base64'), () => this.reads.readClient(hash, address));
    // The query excludes expired and revoked keys, but a cached key may have expired since.
    if (!client || (client.expiresAt && client.expiresAt.getTime() <= Date.now())) return undefined;
    this.recordUse(client);
    return client;
  }

  /** Runs in the background, since recording the last use must not delay or fail a request. */
  private recordUse(client: ApiClient): void {
    const notedAt = this.notedAt.get(client);
    if (notedAt !== undefined && performance.now() - notedAt < NOTE_USE_EVERY_MS) return;
    this.notedAt.set(client, performance.now());
    query(this.dataSource, NOTE_USE, [client.keyId]).catch((error: unknown) => {
      this.logger.warn({ err: error, keyId: client.keyId }, 'key.use-write-failed');
    });
  }
}
