import { setTimeout as pause } from 'node:timers/promises';

/** Time in milliseconds that a read waits for others to join its query. */
export const GATHER_MS = 100;

interface Gathering<Found> {
  hashes: Buffer[];
  found: Promise<ReadonlyMap<string, Found>>;
}

/** Batches reads that tolerate a delay. Any number of reads costs at most ten queries per second. */
export class GatheredReads<Found> {
  private gathering: Gathering<Found> | undefined;

  /** @param read returns results by base64-encoded hash */
  constructor(private readonly read: (hashes: readonly Buffer[]) => Promise<ReadonlyMap<string, Found>>) {}

  async find(hash: Buffer): Promise<Found | undefined> {
    this.gathering ??= this.begin();
    this.gathering.hashes.push(hash);
    return (await this.gathering.found).get(hash.toString('base64'));
  }

  private begin(): Gathering<Found> {
    const hashes: Buffer[] = [];
    const found = pause(GATHER_MS).then(() => {
      this.gathering = undefined;
      return this.read(hashes);
    });
    return { hashes, found };
  }
}
