import { Inject, Injectable } from '@nestjs/common';
import { Transactions } from '@switchboard/database';
import { activity, Every, type Logger, LOGGER } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { ClaimHolder } from './claim-holder';
import { type Abandoned, abandonClaimsOf, abandonExpiredClaims } from './claims.queries';
import { Dispatcher } from './dispatcher';
import type { EndpointRef } from './fair-queue';
import { type DueMark, findNewlyDue, findOverduePage, lockDeadHolders, takeOverStored } from './sweeps.queries';

/** Together with the overdue threshold (`sweeps.queries.ts`), less than the second by which a retry may be late. */
const SWEEP_EVERY_MS = 500;
/** Maximum number of newly due retries per sweep: more than the service makes in one interval. */
const PAGE_RETRIES = 1_000;
/** Maximum number of endpoints checked per sweep. This covers all endpoints, unless very many have a backlog. */
const PAGE_ENDPOINTS = 1_000;

/** Maximum number of stored attempts taken over per dead process and sweep. */
const TAKEN_AT_ONCE = 1_000;

/**
 * Safety net for intake and the broker's timers. Starts deliveries that are overdue in the database and not in flight.
 * A broker without its data, a lost task or a dead process delays a delivery but never loses it. Several processes may
 * sweep concurrently.
 */
@Injectable()
export class Sweeps {
  /** Last endpoint of the previous page. Empty at the start of a scan. */
  private position = '';
  private known?: DueMark;
  private readonly holders: DeadHolders;

  constructor(
    private readonly dataSource: DataSource,
    transactions: Transactions,
    private readonly dispatcher: Dispatcher,
    private readonly claimHolder: ClaimHolder,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.holders = new DeadHolders(transactions);
  }

  /**
   * Starts retries that came due since the last sweep, in due order, so that the schedule is kept however many
   * endpoints have a backlog. A scan over the endpoints finds all other overdue deliveries.
   * @returns the time until the next check, or false if no delivery waits
   */
  @Every({ name: 'overdue-sweep', everyMs: SWEEP_EVERY_MS, restsWhenIdle: true })
  async startOverdue(): Promise<false | number> {
    this.enqueueAbandoned(await abandonExpiredClaims(this.dataSource));
    const { mark, endpoints: newlyDue } = await findNewlyDue(this.dataSource, this.known, PAGE_RETRIES);
    for (const endpoint of newlyDue) this.dispatcher.enqueue(endpoint);
    this.known = mark;
    const { endsAt, nextInMs, isWorking, endpoints } = await findOverduePage(
      this.dataSource,
      this.position,
      PAGE_ENDPOINTS,
    );
    for (const endpoint of endpoints) this.dispatcher.enqueue(endpoint);
    this.position = endsAt ?? '';
    // The process that works on them may be killed at any time.
    if (isWorking) activity.note();
    if (endsAt !== null) return SWEEP_EVERY_MS;
    return nextInMs !== null && Math.max(nextInMs, SWEEP_EVERY_MS);
  }

  /**
   * Ends the claims of dead processes before they expire, and takes over first attempts that those processes stored but
   * never started.
   */
  @Every({ name: 'dead-process-sweep', everyMs: SWEEP_EVERY_MS, restsWhenIdle: true })
  async takeOverFromDead(): Promise<void> {
    const { ended, waiting } = await this.holders.takeOver(this.claimHolder.holderOrNull);
    this.enqueueAbandoned(ended);
    if (waiting.length > 0) this.logger.warn({ endpoints: waiting.length }, 'deliveries.taken-over');
    for (const endpoint of waiting) this.dispatcher.enqueue(endpoint);
  }

  private enqueueAbandoned(abandoned: Abandoned[]): void {
    for (const { state, ...delivery } of abandoned) {
      this.logger.warn(delivery, state === 'dropped' ? 'delivery.dropped' : 'delivery.abandoned');
      this.dispatcher.enqueue({ id: delivery.endpointId, accountId: delivery.accountId });
    }
  }
}

/** Work left behind by dead processes. */
export interface LeftOver {
  /** Attempts that were in flight and are now ended. */
  ended: Abandoned[];
  /** Endpoints with first attempts that were stored and never started. */
  waiting: EndpointRef[];
}

/**
 * Detects dead holders: those without a lock in two consecutive checks. A holder that only lost its connection
 * reacquires its lock before the second check.
 */
export class DeadHolders {
  private suspects = new Set<number>();

  constructor(private readonly transactions: Transactions) {}

  /** Checks all holders, ends the claims of dead ones and transfers their stored attempts to a live holder. */
  takeOver(holder: number | null): Promise<LeftOver> {
    return this.transactions.run(async (tx) => {
      const missing = await lockDeadHolders(tx);
      const dead = missing.filter((each) => this.suspects.has(each));
      this.suspects = new Set(missing);
      if (dead.length === 0) return { ended: [], waiting: [] };
      const ended = await abandonClaimsOf(tx, dead);
      return { ended, waiting: await takeOverStored(tx, dead, { holder, atMost: TAKEN_AT_ONCE }) };
    });
  }
}
