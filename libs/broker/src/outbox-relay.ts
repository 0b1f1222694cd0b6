import { Inject, Injectable } from '@nestjs/common';
import { Transactions } from '@switchboard/database';
import { activity, Every, Wakeup } from '@switchboard/platform';
import { Broker } from './broker';
import { BrokerAwayError, NotConfirmedError, UnroutableError } from './errors';
import { countRelayed } from './metrics';
import {
  claimFresh,
  claimRefused,
  type ClaimLimits,
  keepPublished,
  recordRejections,
  type OutboxRow,
} from './outbox.queries';
import type { OutgoingMessage } from './publisher';

const POLL_MS = 500;
/** Interval between retries of rows that the broker rejected. Retries never delay new rows. */
const REFUSED_AGAIN_MS = 5_000;
/** Limits of a batch. amqplib keeps a batch in memory until the broker accepts it. */
const BATCH: ClaimLimits = { rows: 500, bytes: 8_388_608 };

export type OutboxBroker = Pick<Broker, 'send' | 'isReady' | 'logger'>;

/**
 * Publishes the messages that committed transactions left in the outbox, at least once and in row order within a batch.
 * Rows move to the table of published messages only after the broker has confirmed them. After a crash in between, they
 * are published again with the same message id, which consumers deduplicate by their inbox. Several relays may run in
 * parallel.
 */
@Injectable()
export class OutboxRelay {
  readonly wakeup = new Wakeup();
  private refusedAgainAt = 0;

  constructor(
    @Inject(Broker) private readonly broker: OutboxBroker,
    @Inject(Transactions) private readonly transactions: Pick<Transactions, 'run' | 'onCommitted'>,
  ) {
    transactions.onCommitted(() => this.wakeup.wake());
  }

  /**
   * Relays waiting rows, and rejected rows when their retry is due.
   * @returns true if more rows may be waiting, or the pause while the broker is away
   */
  @Every({ name: 'outbox', everyMs: POLL_MS, restsWhenIdle: true, wakeup: (relay: OutboxRelay) => relay.wakeup })
  async relay(): Promise<boolean | number> {
    // While the broker is away, the rows stay in the outbox. The connection logs the cause.
    if (!this.broker.isReady()) return POLL_MS;
    const isFull = await this.relayBatch(claimFresh);
    if (Date.now() >= this.refusedAgainAt) {
      this.refusedAgainAt = Date.now() + REFUSED_AGAIN_MS;
      await this.relayBatch(claimRefused);
    }
    return isFull;
  }

  /**
   * @returns whether the batch was full, so that more rows may be waiting
   * @throws BrokerAwayError when the broker is lost meanwhile. Rows that were confirmed before are deleted nevertheless
   */
  private async relayBatch(claim: typeof claimFresh): Promise<boolean> {
    const { published, refused, lost, isFull } = await this.transactions.run(async (tx) => {
      const rows = await claim(tx, BATCH);
      const batch = await publishAll(this.broker, rows);
      keepPublished(tx, batch.published);
      recordRejections(tx, batch.refused);
      return { ...batch, isFull: rows.length === BATCH.rows || bytesOf(rows) >= BATCH.bytes };
    });
    for (const { id, name, message_id: messageId, attempts } of refused) {
      this.broker.logger.error({ outboxId: id, contract: name, messageId, attempts: attempts + 1 }, 'outbox.refused');
    }
    // Rejected rows are work for this and the other relays until a retry succeeds.
    if (refused.length > 0) activity.note();
    countRelayed('published', published.length);
    countRelayed('refused', refused.length);
    if (lost.length > 0) throw new BrokerAwayError(`${lost.length} messages of the outbox were not confirmed`);
    return isFull;
  }
}

function bytesOf(rows: readonly OutboxRow[]): number {
  return rows.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
}

interface PublishedBatch {
  published: OutboxRow[];
  /** Rows that a reachable broker rejected. */
  refused: OutboxRow[];
  /** Rows with an unknown outcome, because the broker was lost. */
  lost: OutboxRow[];
}

async function publishAll(broker: OutboxBroker, rows: readonly OutboxRow[]): Promise<PublishedBatch> {
  const batch: PublishedBatch = { published: [], refused: [], lost: [] };
  const outcomes = await Promise.allSettled(rows.map((row) => broker.send(messageOf(row))));
  rows.forEach((row, index) => {
    const outcome = outcomes[index];
    if (outcome?.status === 'fulfilled') batch.published.push(row);
    else if (outcome?.reason instanceof UnroutableError || outcome?.reason instanceof NotConfirmedError)
      batch.refused.push(row);
    else batch.lost.push(row);
  });
  return batch;
}

function messageOf({ kind, name, body, headers, message_id, delay_seconds }: OutboxRow): OutgoingMessage {
  return { kind, name, body, headers, messageId: message_id, delaySeconds: delay_seconds ?? undefined };
}
