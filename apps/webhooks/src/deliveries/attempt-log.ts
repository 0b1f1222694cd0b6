import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { deliverEventV1 } from '@switchboard/contracts';
import { failsWholeBatch, isDatabaseAway, preparedQuery, type Transaction, Transactions } from '@switchboard/database';
import { Batcher } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { markFailing, markWorking } from '../endpoints/endpoint-health.queries';
import { abandonClaim, undoClaim } from './abandoned.queries';
import { type Claim, CLAIM_SECONDS } from './claims.queries';
import { type Moved, recordResults, type Result, type SqlRunner } from './results.queries';
import { MAX_ATTEMPTS } from './retry-schedule';

const BATCH_LIMIT = 200;
const BATCH_EVERY_MS = 4;
/** While the claims hold, results that could not be written are written again so often. */
const WRITE_AGAIN_MS = 500;
const WRITE_FOR_MS = (CLAIM_SECONDS - 12) * 1000;

/**
 * Writes down what came of attempts, many at a time, together with what follows: the next timer, the endpoint's health.
 */
@Injectable()
export class AttemptLog {
  private readonly batcher = new Batcher<Result, Moved | undefined>((results) => this.write(results), {
    maxItems: BATCH_LIMIT,
    concurrency: 1,
    everyMs: BATCH_EVERY_MS,
    isCommonFailure: failsWholeBatch,
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /** @returns where the delivery stands now; undefined when it was moved by others meanwhile */
  record(result: Result): Promise<Moved | undefined> {
    return this.batcher.add(result);
  }

  /**
   * Gives a delivery back at once whose request we cut ourselves; the attempt stays on record without an end and
   * counts.
   */
  async giveBack(claim: Claim): Promise<void> {
    await this.transactions.run(async (tx) => {
      for (const { state, deliveryId } of await abandonClaim(tx, claim)) {
        if (state === 'pending') tx.enqueue(deliverEventV1, { deliveryId });
      }
    });
  }

  /** As if the attempt had never been claimed: nothing was sent. */
  undo(claim: Claim): Promise<void> {
    return undoClaim(this.dataSource, claim);
  }

  /**
   * The requests were made and cannot be made unmade: while the database is away, their results are kept and written
   * again.
   */
  private async write(results: Result[]): Promise<(Moved | undefined)[]> {
    const deadline = performance.now() + WRITE_FOR_MS;
    for (;;) {
      try {
        const moved = await this.writeOnce(results);
        return results.map(({ claim }) => moved.get(claim.deliveryId));
      } catch (error) {
        if (!isDatabaseAway(error) || performance.now() > deadline) throw error;
        await sleep(WRITE_AGAIN_MS);
      }
    }
  }

  /**
   * What only ends deliveries is one statement, unless it may take two; timers and notices leave with the commit that
   * they belong to.
   */
  private async writeOnce(results: Result[]): Promise<Map<string, Moved>> {
    const isOneStatement = results.every(({ claim, next }) => next.state !== 'pending' && claim.attempt < MAX_ATTEMPTS);
    const single: SqlRunner = { queryPrepared: (sql, params) => preparedQuery(this.dataSource, sql, params) };
    const moved = isOneStatement
      ? await recordResults(single, results)
      : await this.transactions.run((tx) => this.writeWithMessages(tx, results));
    await this.noteHealth(results);
    return moved;
  }

  private async writeWithMessages(tx: Transaction, results: Result[]): Promise<Map<string, Moved>> {
    const moved = await recordResults(tx, results);
    for (const { claim, next } of results) {
      if (next.state !== 'pending' || !moved.has(claim.deliveryId)) continue;
      // A wait of hours needs no timer: the sweep finds what is due.
      if (!deliverEventV1.delaysSeconds.includes(next.delaySeconds)) continue;
      tx.enqueue(deliverEventV1, { deliveryId: claim.deliveryId }, { delaySeconds: next.delaySeconds });
    }
    return moved;
  }

  private async noteHealth(results: Result[]): Promise<void> {
    const failed = results.filter(({ claim, outcome }) => !claim.failing && outcome.errorClass !== null);
    const worked = results.filter(({ claim, outcome }) => claim.failing && outcome.errorClass === null);
    if (failed.length > 0)
      await markFailing(
        this.dataSource,
        failed.map(({ claim }) => claim.endpointId),
      );
    if (worked.length > 0)
      await markWorking(
        this.dataSource,
        worked.map(({ claim }) => claim.endpointId),
      );
  }
}
