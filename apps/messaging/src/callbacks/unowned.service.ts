import { Inject, Injectable } from '@nestjs/common';
import {
  jsonBytes,
  newId,
  UPDATES_EVENT_BYTES,
  type UpstreamMessagesReceivedV1,
  upstreamMessagesReceivedV1,
} from '@switchboard/contracts';
import { query, type Transaction, Transactions } from '@switchboard/database';
import { counter, Every, type Logger, LOGGER } from '@switchboard/platform';
import { partsOfMessages, type UpstreamMessagesValue } from '@switchboard/upstream';
import { DataSource } from 'typeorm';
import { KEEP_UNOWNED, PURGE_UNOWNED, TAKE_OWNED } from './unowned.queries';

const LOOK_EVERY_MS = 1_000;

const BATCH = 100;

const counted = counter(
  'messaging_unowned_callbacks_total',
  'Callbacks about numbers that no account has: kept, refused (too many of the number), released, expired',
  ['outcome'],
);

/**
 * Callbacks about numbers that no account has. Upstream has its 200 and does not send them again, so they wait for a
 * day: a number that is connected upstream first and added here a moment later loses nothing.
 */
@Injectable()
export class UnownedCallbacks {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Keeps one for its number, or drops it when there are many. Delivered twice it is kept twice: applying it again
   * changes nothing.
   */
  async keep(phoneNumberId: string, callback: UpstreamMessagesReceivedV1): Promise<void> {
    const { callbackId, wabaId } = callback;
    const [kept] = await query(this.dataSource, KEEP_UNOWNED, [newId('prk'), phoneNumberId, JSON.stringify(callback)]);
    counted.inc({ outcome: kept ? 'kept' : 'refused' });
    this.logger.warn({ callbackId, wabaId, phoneNumberId }, kept ? 'callback.unowned' : 'callback.dropped');
  }

  /**
   * Hands over those whose number was added, as if they had come now, and drops old ones.
   * @returns whether there may be more to do
   */
  @Every({ name: 'unowned-callbacks', everyMs: LOOK_EVERY_MS })
  async release(): Promise<boolean> {
    const expired = await query(this.dataSource, PURGE_UNOWNED, [BATCH]);
    const released = await this.transactions.run(async (tx) => {
      const rows = await tx.query<{ body: UpstreamMessagesReceivedV1 }>(TAKE_OWNED, [BATCH]);
      for (const { body } of rows) publishInParts(tx, body);
      return rows.length;
    });
    counted.inc({ outcome: 'expired' }, expired.length);
    counted.inc({ outcome: 'released' }, released);
    if (released > 0) this.logger.info({ callbacks: released }, 'unowned-callbacks.released');
    if (expired.length > 0) this.logger.warn({ callbacks: expired.length }, 'unowned-callbacks.expired');
    return released === BATCH || expired.length === BATCH;
  }
}

/** Versions before this one bounded the updates of an event by their number alone, and may have kept larger ones. */
function publishInParts(tx: Pick<Transaction, 'publish'>, body: UpstreamMessagesReceivedV1): void {
  if (jsonBytes(body) <= UPDATES_EVENT_BYTES) return tx.publish(upstreamMessagesReceivedV1, body);
  let offset = body.offset ?? 0;
  const whole = { wabaId: body.wabaId, value: body.value as UpstreamMessagesValue };
  for (const { value } of partsOfMessages([whole], { items: Infinity, bytes: UPDATES_EVENT_BYTES * 0.75 })) {
    tx.publish(upstreamMessagesReceivedV1, { ...body, value, ...(offset > 0 && { offset }) });
    offset += value.messages?.length ?? 0;
  }
}
