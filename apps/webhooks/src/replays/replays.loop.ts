import { Inject, Injectable } from '@nestjs/common';
import { type Transaction, Transactions } from '@switchboard/database';
import { activity, CONFIG, Every, type Logger, LOGGER } from '@switchboard/platform';
import type { WebhooksConfig } from '../config';
import { ClaimHolder } from '../deliveries/claim-holder';
import { Dispatcher } from '../deliveries/dispatcher';
import type { EndpointRef } from '../deliveries/fair-queue';
import { OrderedIds } from '../ordered-ids';
import { findNextDropped, finishReplay, lockNextReplays, type ReplayRow, replayStep } from './replays.queries';

const STEP_EVERY_MS = 1_000;
/** Maximum number of replays per step, to keep the transaction short. */
const MOST_REPLAYS = 50;

/** Replays dropped deliveries at a limited rate. Any number of processes may run it. */
@Injectable()
export class ReplaysLoop {
  private readonly ids = new OrderedIds();

  constructor(
    @Inject(CONFIG) private readonly config: WebhooksConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly transactions: Transactions,
    private readonly dispatcher: Dispatcher,
    private readonly claimHolder: ClaimHolder,
  ) {}

  /** Replays one second's share for one replay of each account. If there are many accounts, they alternate. */
  @Every({ name: 'replay', everyMs: STEP_EVERY_MS, restsWhenIdle: true })
  async step(): Promise<void> {
    const due = await this.transactions.run(async (tx) => {
      const found: EndpointRef[] = [];
      const replays = await lockNextReplays(tx, MOST_REPLAYS);
      if (replays.length > 0) activity.note();
      for (const replay of replays) found.push(...(await this.stepOf(tx, replay)));
      return found;
    });
    for (const endpoint of due) this.dispatcher.enqueue(endpoint);
  }

  private async stepOf(tx: Transaction, replay: ReplayRow): Promise<EndpointRef[]> {
    const limit = this.config.WEBHOOK_REPLAYS_PER_SECOND;
    const dropped = await findNextDropped(tx, replay, limit);
    const last = dropped.at(-1);
    const pairs = dropped.map(({ id }) => ({ oldId: id, newId: this.ids.next('dlv') }));
    const due = last
      ? await replayStep(tx, replay, pairs, { position: last.eventId, holder: this.claimHolder.holderOrNull })
      : [];
    if (dropped.length < limit) {
      await finishReplay(tx, replay);
      this.logger.info({ accountId: replay.account_id, replayId: replay.id }, 'replay.finished');
    }
    return due;
  }
}
