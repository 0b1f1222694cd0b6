import { Inject, Injectable } from '@nestjs/common';
import { Every, type Logger, LOGGER } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { abandonExpiredClaims } from './abandoned.queries';
import { Dispatcher } from './dispatcher';
import { type DueMark, findNewlyDue, findOverduePage } from './due.queries';

/** With what is overdue at all (`due.queries.ts`) less than the second that a retry may be late. */
const SWEEP_EVERY_MS = 500;
/**
 * Retries that each sweep takes of those that came due since the one before: more than the service makes in the time.
 */
const PAGE_RETRIES = 1_000;
/**
 * Endpoints of which each sweep looks whether anything at all is overdue: all of them, unless very many have a backlog.
 */
const PAGE_ENDPOINTS = 1_000;

/**
 * The safety net under intake and the broker's timers: starts what the database says is overdue and nobody works on, so
 * that a wiped broker, a lost task or a dead process delays a delivery but never loses it. Each sweep finds the retries
 * that came due since the one before, in their order, so that their schedule holds however many endpoints have a
 * backlog. A round over the endpoints finds whatever else was left.
 */
@Injectable()
export class OverdueSweep {
  /** The last endpoint of the page before; empty at the beginning. */
  private position = '';
  private known?: DueMark;

  constructor(
    private readonly dataSource: DataSource,
    private readonly dispatcher: Dispatcher,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Looks once; several processes may do so at the same time. */
  @Every({ name: 'overdue-sweep', everyMs: SWEEP_EVERY_MS })
  async sweep(): Promise<void> {
    for (const { state, ...abandoned } of await abandonExpiredClaims(this.dataSource)) {
      this.logger.warn(abandoned, state === 'dropped' ? 'delivery.dropped' : 'delivery.abandoned');
      this.dispatcher.expect({ id: abandoned.endpointId, accountId: abandoned.accountId });
    }
    const { mark, endpoints: newlyDue } = await findNewlyDue(this.dataSource, this.known, PAGE_RETRIES);
    for (const endpoint of newlyDue) this.dispatcher.expect(endpoint);
    this.known = mark;
    const { endsAt, endpoints } = await findOverduePage(this.dataSource, this.position, PAGE_ENDPOINTS);
    for (const endpoint of endpoints) this.dispatcher.expect(endpoint);
    this.position = endsAt ?? '';
  }
}
