import { setTimeout as pause } from 'node:timers/promises';

/** Time that a read waits for others to join its query. */
export const GATHER_MS = 100;

interface Gathering<Found> {
  hashes: Buffer[];
  found: Promise<ReadonlyMap<string, Found>>;
}

/**
 * Batches reads that may wait: any number of them costs ten queries a second at most.
 */
export class GatheredReads<Found> {
  private gathering: Gathering<Found> | undefined;

  /** @param read returns the results by hash in base64 */
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
