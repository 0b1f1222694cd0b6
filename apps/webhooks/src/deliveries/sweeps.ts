import { Inject, Injectable } from '@nestjs/common';
import { Transactions } from '@switchboard/database';
import { Every, type Logger, LOGGER } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { ClaimHolder } from './claim-holder';
import { type Abandoned, abandonClaimsOf, abandonExpiredClaims } from './claims.queries';
import { Dispatcher } from './dispatcher';
import type { EndpointRef } from './fair-queue';
import { type DueMark, findNewlyDue, findOverduePage, lockDeadHolders, takeOverStored } from './sweeps.queries';

/** With what is overdue at all (`sweeps.queries.ts`) less than the second that a retry may be late. */
const SWEEP_EVERY_MS = 500;
/**
 * Retries that each sweep takes of those that came due since the one before: more than the service makes in the time.
 */
const PAGE_RETRIES = 1_000;
/**
 * Endpoints of which each sweep looks whether anything at all is overdue: all of them, unless very many have a backlog.
 */
const PAGE_ENDPOINTS = 1_000;

/** Stored attempts that one look takes over from each dead process: as many endpoints as a page of the sweep has. */
const TAKEN_AT_ONCE = 1_000;

/**
 * The safety net under intake and the broker's timers: starts what the database says is overdue and nobody works on, so
 * that a wiped broker, a lost task or a dead process delays a delivery but never loses it. Several processes may sweep
 * at the same time.
 */
@Injectable()
export class Sweeps {
  /** The last endpoint of the page before; empty at the beginning. */
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
   * Finds the retries that came due since the sweep before, in their order, so that their schedule holds however many
   * endpoints have a backlog. A round over the endpoints finds whatever else was left.
   */
  @Every({ name: 'overdue-sweep', everyMs: SWEEP_EVERY_MS })
  async startOverdue(): Promise<void> {
    this.expectAbandoned(await abandonExpiredClaims(this.dataSource));
    const { mark, endpoints: newlyDue } = await findNewlyDue(this.dataSource, this.known, PAGE_RETRIES);
    for (const endpoint of newlyDue) this.dispatcher.expect(endpoint);
    this.known = mark;
    const { endsAt, endpoints } = await findOverduePage(this.dataSource, this.position, PAGE_ENDPOINTS);
    for (const endpoint of endpoints) this.dispatcher.expect(endpoint);
    this.position = endsAt ?? '';
  }

  /**
   * Ends the claims of processes that died, so that their endpoints need not wait until the claims run out, and takes
   * over the first attempts that they had stored and never began.
   */
  @Every({ name: 'dead-process-sweep', everyMs: SWEEP_EVERY_MS })
  async takeOverFromDead(): Promise<void> {
    const { ended, waiting } = await this.holders.takeOver(this.claimHolder.holderOrNull);
    this.expectAbandoned(ended);
    if (waiting.length > 0) this.logger.warn({ endpoints: waiting.length }, 'deliveries.taken-over');
    for (const endpoint of waiting) this.dispatcher.expect(endpoint);
  }

  private expectAbandoned(abandoned: Abandoned[]): void {
    for (const { state, ...delivery } of abandoned) {
      this.logger.warn(delivery, state === 'dropped' ? 'delivery.dropped' : 'delivery.abandoned');
      this.dispatcher.expect({ id: delivery.endpointId, accountId: delivery.accountId });
    }
  }
}

/** What dead processes have left. */
export interface LeftOver {
  /** Attempts that were under way and are ended. */
  ended: Abandoned[];
  /** Endpoints with first attempts that were stored and never begun. */
  waiting: EndpointRef[];
}

/**
 * Which holders are dead: those whose lock was gone at two looks in a row. One that has only lost its connection has
 * taken it again by then.
 */
export class DeadHolders {
  private suspects = new Set<number>();

  constructor(private readonly transactions: Transactions) {}

  /** Looks once, ends the claims of the dead and gives their stored attempts to a holder that lives. */
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
