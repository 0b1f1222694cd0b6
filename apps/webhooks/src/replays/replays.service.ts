import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  firstIdAt,
  newId,
  type ReplayDroppedCommand,
  type ReplayEventCommand,
  type WebhookReplayRecord,
} from '@switchboard/contracts';
import { type Logger, LOGGER } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { ClaimHolder } from '../deliveries/claim-holder';
import { Dispatcher } from '../deliveries/dispatcher';
import { OrderedIds } from '../ordered-ids';
import { beginReplay, findReplay, findReplayTargets, replayEvent, type ReplayRow } from './replays.queries';

/**
 * Delivers events again: one at once, or all that were dropped since a time, which the loop then does step by step
 * (`replays.loop.ts`).
 */
@Injectable()
export class ReplaysService {
  private readonly ids = new OrderedIds();

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dataSource: DataSource,
    private readonly dispatcher: Dispatcher,
    private readonly claimHolder: ClaimHolder,
  ) {}

  /**
   * @returns how many deliveries there are now, due at once
   * @throws AppError NOT_FOUND: no such event, or nobody to send it to
   */
  async replayEvent({ accountId, eventId, endpointId }: ReplayEventCommand): Promise<number> {
    const targets = await findReplayTargets(this.dataSource, { accountId, eventId, endpointId });
    if (targets.length === 0) throw new AppError('NOT_FOUND');
    const planned = targets.map((target) => ({ id: this.ids.next('dlv'), endpointId: target }));
    const deliveries = await replayEvent(
      this.dataSource,
      { accountId, eventId },
      planned,
      this.claimHolder.holderOrNull,
    );
    if (deliveries.length === 0) throw new AppError('NOT_FOUND');
    for (const delivery of deliveries) this.dispatcher.expect({ accountId, id: delivery.endpointId });
    this.logger.info({ accountId, eventId, deliveries: deliveries.length }, 'event.replayed');
    return deliveries.length;
  }

  /**
   * Begins a replay; it goes on in steps, by whichever process comes first.
   * @throws AppError NOT_FOUND: no such endpoint
   */
  async replayDropped({ accountId, since, endpointId }: ReplayDroppedCommand): Promise<WebhookReplayRecord> {
    const from = firstIdAt('evt', new Date(since));
    const row = await beginReplay(this.dataSource, {
      id: newId('rpl'),
      accountId,
      endpointId,
      from,
      until: this.ids.next('evt'),
    });
    if (!row) throw new AppError('NOT_FOUND');
    this.logger.info({ accountId, replayId: row.id, total: row.total }, 'replay.begun');
    return replayRecord(row);
  }

  /** @throws AppError NOT_FOUND */
  async getReplay(accountId: string, replayId: string): Promise<WebhookReplayRecord> {
    const row = await findReplay(this.dataSource, accountId, replayId);
    if (!row) throw new AppError('NOT_FOUND');
    return replayRecord(row);
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
