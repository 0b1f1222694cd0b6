import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  type CountDroppedReply,
  firstIdAt,
  type ListReplaysCommand,
  type ListReplaysReply,
  MOST_COUNTED_DELIVERIES,
  newId,
  notFound,
  type ReplayDroppedCommand,
  type ReplayEventCommand,
  type WebhookReplayRecord,
} from '@switchboard/contracts';
import { type Logger, LOGGER } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { ClaimHolder } from '../deliveries/claim-holder';
import { Dispatcher } from '../deliveries/dispatcher';
import { Endpoint } from '../endpoints/endpoint.entity';
import { OrderedIds } from '../ordered-ids';
import {
  beginReplay,
  countDropped,
  findReplay,
  findReplayTargets,
  listReplays,
  replayEvent,
  type ReplayRow,
  type ReplaySpan,
} from './replays.queries';

/** Redelivers events: a single event immediately, or all events dropped since a time in steps (`replays.loop.ts`). */
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
   * @returns the number of new deliveries, which are due immediately
   * @throws AppError NOT_FOUND if the event does not exist or no endpoint can receive it
   */
  async replayEvent({ accountId, eventId, endpointId }: ReplayEventCommand): Promise<number> {
    const targets = await findReplayTargets(this.dataSource, { accountId, eventId, endpointId });
    if (targets.length === 0) throw notFound('event, or no endpoint for it');
    const planned = targets.map((target) => ({ id: this.ids.next('dlv'), endpointId: target }));
    const deliveries = await replayEvent(
      this.dataSource,
      { accountId, eventId },
      planned,
      this.claimHolder.holderOrNull,
    );
    if (deliveries.length === 0) throw notFound('event');
    for (const delivery of deliveries) this.dispatcher.enqueue({ accountId, id: delivery.endpointId });
    this.logger.info({ accountId, eventId, deliveries: deliveries.length }, 'event.replayed');
    return deliveries.length;
  }

  /**
   * Starts a replay, which any process continues in steps.
   * @throws AppError NOT_FOUND if the endpoint does not exist; INVALID_VALUE if the number of deliveries differs from
   * the expected one
   */
  async replayDropped(command: ReplayDroppedCommand): Promise<WebhookReplayRecord> {
    const { accountId, deliveries: counted } = command;
    const span = this.spanOf(command);
    const row = await beginReplay(this.dataSource, span, { id: newId('rpl'), counted });
    if (!row) throw await this.refusalOf(span);
    this.logger.info({ accountId, replayId: row.id, total: row.total }, 'replay.started');
    return replayRecord(row);
  }

  /** Returns the number of deliveries that the same request would replay now. */
  async countDropped(command: ReplayDroppedCommand): Promise<CountDroppedReply> {
    const found = await countDropped(this.dataSource, this.spanOf(command), MOST_COUNTED_DELIVERIES + 1);
    return { ...found, deliveries: Math.min(found.deliveries, MOST_COUNTED_DELIVERIES) };
  }

  private async refusalOf(span: ReplaySpan): Promise<AppError> {
    const { accountId, endpointId } = span;
    if (endpointId !== undefined && !(await this.dataSource.manager.existsBy(Endpoint, { accountId, id: endpointId })))
      return notFound('endpoint');
    const { deliveries, isExact } = await countDropped(this.dataSource, span, MOST_COUNTED_DELIVERIES + 1);
    const message = isExact
      ? `the replay would take ${deliveries} deliveries now: count them again`
      : `more than ${MOST_COUNTED_DELIVERIES} deliveries were dropped, which are not counted to the end: leave the number out`;
    return new AppError('INVALID_VALUE', { message, details: [{ field: 'deliveries', message }] });
  }

  /** Lists replays, newest first. */
  async listReplays({ accountId, limit, cursor }: ListReplaysCommand): Promise<ListReplaysReply> {
    const rows = await listReplays(this.dataSource, accountId, { limit, before: cursor });
    return { replays: rows.map(replayRecord), nextCursor: rows.length === limit ? (rows.at(-1)?.id ?? null) : null };
  }

  /**
   * Returns the range of events that a replay covers. It ends now, because later events cannot have been dropped yet.
   */
  private spanOf({ accountId, endpointId, kind, since, until }: ReplayDroppedCommand): ReplaySpan {
    const now = this.ids.next('evt');
    const end = until === undefined ? now : firstIdAt('evt', new Date(until));
    return { accountId, endpointId, kind, from: firstIdAt('evt', new Date(since)), until: end < now ? end : now };
  }

  /** @throws AppError NOT_FOUND */
  async getReplay(accountId: string, replayId: string): Promise<WebhookReplayRecord> {
    const row = await findReplay(this.dataSource, accountId, replayId);
    if (!row) throw notFound('replay');
    return replayRecord(row);
  }
}

function replayRecord(row: ReplayRow): WebhookReplayRecord {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    kind: row.kind,
    total: row.total,
    replayed: row.replayed,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}
