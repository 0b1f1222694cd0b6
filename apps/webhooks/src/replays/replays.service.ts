import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AppError, newId, type ReplayDroppedCommand, type ReplayEventCommand, type WebhookReplayRecord } from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import { CONFIG, type Logger, LOGGER, type Loop, startLoop } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { WebhooksConfig } from '../config';
import { Dispatcher } from '../deliveries/dispatcher';
import type { EndpointRef } from '../endpoints/endpoint-ref';
import { firstIdAt, OrderedIds } from '../ordered-ids';
import {
  beginReplay,
  findNextDropped,
  findReplay,
  findReplayTargets,
  finishReplay,
  lockNextReplays,
  replayEvent,
  type ReplayRow,
  replayStep,
} from './replays.queries';

const STEP_EVERY_MS = 1_000;
/** Accounts that have a turn in one step: a short transaction. */
const MOST_REPLAYS = 50;

/** Delivers events again: one at once, or all that were dropped since a time, at a limited rate. */
@Injectable()
export class ReplaysService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly ids = new OrderedIds();
  private loop?: Loop;

  constructor(
    @Inject(CONFIG) private readonly config: WebhooksConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly dispatcher: Dispatcher,
  ) {}

  onApplicationBootstrap(): void {
    this.loop = startLoop({ name: 'replay', everyMs: STEP_EVERY_MS, logger: this.logger, turn: () => this.step() });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }

  /** @returns how many deliveries there are now, due at once @throws AppError NOT_FOUND: no such event, or nobody to send it to */
  async replayEvent({ accountId, eventId, endpointId }: ReplayEventCommand): Promise<number> {
    const targets = await findReplayTargets(this.dataSource, { accountId, eventId, endpointId });
    if (targets.length === 0) throw new AppError('NOT_FOUND');
    const planned = targets.map((target) => ({ id: this.ids.next('dlv'), endpointId: target }));
    const deliveries = await replayEvent(this.dataSource, { accountId, eventId }, planned);
    if (deliveries.length === 0) throw new AppError('NOT_FOUND');
    for (const delivery of deliveries) this.dispatcher.expect({ accountId, id: delivery.endpointId });
    this.logger.info({ accountId, eventId, deliveries: deliveries.length }, 'event.replayed');
    return deliveries.length;
  }

  /** Begins a replay; it goes on in steps, by whichever process comes first. */
  async replayDropped({ accountId, since, endpointId }: ReplayDroppedCommand): Promise<WebhookReplayRecord> {
    const from = firstIdAt('evt', new Date(since));
    const row = await beginReplay(this.dataSource, { id: newId('rpl'), accountId, endpointId, from, until: this.ids.next('evt') });
    this.logger.info({ accountId, replayId: row.id, total: row.total }, 'replay.begun');
    return replayRecord(row);
  }

  /** @throws AppError NOT_FOUND */
  async getReplay(accountId: string, replayId: string): Promise<WebhookReplayRecord> {
    const row = await findReplay(this.dataSource, accountId, replayId);
    if (!row) throw new AppError('NOT_FOUND');
    return replayRecord(row);
  }

  /** One second's share of one replay of each account; when there are many accounts, they take turns. */
  async step(): Promise<void> {
    const due = await this.transactions.run(async (tx) => {
      const found: EndpointRef[] = [];
      for (const replay of await lockNextReplays(tx, MOST_REPLAYS)) found.push(...(await this.stepOf(tx, replay)));
      return found;
    });
    for (const endpoint of due) this.dispatcher.expect(endpoint);
  }

  private async stepOf(tx: Transaction, replay: ReplayRow): Promise<EndpointRef[]> {
    const limit = this.config.WEBHOOK_REPLAYS_PER_SECOND;
    const dropped = await findNextDropped(tx, replay, limit);
    const last = dropped.at(-1);
    const pairs = dropped.map(({ id }) => ({ oldId: id, newId: this.ids.next('dlv') }));
    const due = last ? await replayStep(tx, replay, pairs, last.eventId) : [];
    if (dropped.length < limit) {
      await finishReplay(tx, replay);
      this.logger.info({ accountId: replay.account_id, replayId: replay.id }, 'replay.finished');
    }
    return due;
  }
}

function replayRecord(row: ReplayRow): WebhookReplayRecord {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    total: row.total,
    replayed: row.replayed,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}
