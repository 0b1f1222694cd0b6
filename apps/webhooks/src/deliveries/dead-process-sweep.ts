import { Inject, Injectable } from '@nestjs/common';
import { Transactions } from '@switchboard/database';
import { Every, type Logger, LOGGER } from '@switchboard/platform';
import { ClaimHolder } from './claim-holder';
import { DeadHolders } from './dead-holders';
import { Dispatcher } from './dispatcher';

const LOOK_EVERY_MS = 500;

/**
 * Ends the claims of processes that died, so that their endpoints need not wait until the claims run out, and takes
 * over the first attempts that they had stored and never began, which need not wait for the sweep's round then.
 */
@Injectable()
export class DeadProcessSweep {
  private readonly holders: DeadHolders;

  constructor(
    transactions: Transactions,
    private readonly dispatcher: Dispatcher,
    private readonly claimHolder: ClaimHolder,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.holders = new DeadHolders(transactions);
  }

  /** Several processes may do so at the same time. */
  @Every({ name: 'dead-process-sweep', everyMs: LOOK_EVERY_MS })
  async sweep(): Promise<void> {
    const { ended, waiting } = await this.holders.takeOver(this.claimHolder.holderOrNull);
    for (const { state, ...abandoned } of ended) {
      this.logger.warn(abandoned, state === 'dropped' ? 'delivery.dropped' : 'delivery.abandoned');
      this.dispatcher.expect({ id: abandoned.endpointId, accountId: abandoned.accountId });
    }
    if (waiting.length > 0) this.logger.warn({ endpoints: waiting.length }, 'deliveries.taken-over');
    for (const endpoint of waiting) this.dispatcher.expect(endpoint);
  }
}
