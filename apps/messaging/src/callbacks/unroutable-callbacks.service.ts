import { Inject, Injectable } from '@nestjs/common';
import {
  jsonBytes,
  newId,
  UPDATES_EVENT_BYTES,
  upstreamAppDataReceivedV1,
  type UpstreamMessagesReceivedV1,
  upstreamMessagesReceivedV1,
} from '@switchboard/contracts';
import { query, type Transaction, Transactions } from '@switchboard/database';
import { counter, Every, type Logger, LOGGER } from '@switchboard/platform';
import { partsOfMessages, type UpstreamMessagesValue } from '@switchboard/upstream';
import { DataSource } from 'typeorm';

/**
 * Maximum number of callbacks stored per number, because a number that other systems also use may receive any number of
 * them.
 */
const MOST_OF_NUMBER = 1_000;
/** Long enough for most cases: a newly connected number is usually added soon. */
const KEPT = '24 hours';

/**
 * Stores a callback. Returns no row if the number already has too many.
 * $1 new id, $2 upstream id of the number, $3 body
 */
const STORE_UNROUTABLE = `
  INSERT INTO unowned_callbacks (id, phone_number_id, body)
  SELECT $1, $2, $3::jsonb
  WHERE (SELECT count(*) FROM (SELECT 1 FROM unowned_callbacks WHERE phone_number_id = $2 LIMIT ${MOST_OF_NUMBER})
    AS kept) < ${MOST_OF_NUMBER}
  RETURNING id`;

/** Removes and returns callbacks of numbers that belong to an account by now, in order of arrival. $1 maximum rows */
export const TAKE_ROUTABLE = `
  WITH owned AS (
    SELECT unowned_callbacks.id FROM unowned_callbacks JOIN numbers USING (phone_number_id)
    WHERE removed_at IS NULL
    ORDER BY unowned_callbacks.id LIMIT $1 FOR UPDATE OF unowned_callbacks SKIP LOCKED
  ), taken AS (
    DELETE FROM unowned_callbacks WHERE id IN (SELECT id FROM owned) RETURNING id, body
  )
  SELECT body FROM taken ORDER BY id`;

/** $1 maximum rows */
const DELETE_EXPIRED = `
  DELETE FROM unowned_callbacks WHERE id IN (
    SELECT id FROM unowned_callbacks WHERE received_at < now() - interval '${KEPT}' ORDER BY received_at LIMIT $1
      FOR UPDATE SKIP LOCKED
  ) RETURNING id`;

const LOOK_EVERY_MS = 1_000;

const BATCH = 100;

const counted = counter(
  'messaging_unowned_callbacks_total',
  'Callbacks about numbers that no account has: kept, refused (too many of the number), released, expired',
  { outcome: ['kept', 'refused', 'released', 'expired'] },
);

/**
 * Stores callbacks for numbers that belong to no account, for a day. Upstream received a 200 and does not repeat them.
 * A number that is connected upstream shortly before it is added here therefore loses none.
 */
@Injectable()
export class UnroutableCallbacks {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Stores a callback, or drops it if the number already has too many. A redelivered callback is stored twice, which is
   * harmless because applying it again changes nothing.
   */
  async store(phoneNumberId: string, callback: UpstreamMessagesReceivedV1): Promise<void> {
    const { callbackId, wabaId } = callback;
    const [kept] = await query(this.dataSource, STORE_UNROUTABLE, [
      newId('prk'),
      phoneNumberId,
      JSON.stringify(callback),
    ]);
    counted.inc({ outcome: kept ? 'kept' : 'refused' });
    this.logger.warn({ callbackId, wabaId, phoneNumberId }, kept ? 'callback.unowned' : 'callback.dropped');
  }

  /**
   * Publishes the callbacks of newly added numbers as if they had just arrived, and deletes old ones.
   * @returns true if there may be more to do
   */
  @Every({ name: 'unowned-callbacks', everyMs: LOOK_EVERY_MS, restsWhenIdle: true })
  async release(): Promise<boolean> {
    const expired = await query(this.dataSource, DELETE_EXPIRED, [BATCH]);
    const released = await this.transactions.run(async (tx) => {
      const rows = await tx.query<{ body: UpstreamMessagesReceivedV1 }>(TAKE_ROUTABLE, [BATCH]);
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

/** Splits large callbacks, because earlier versions limited the number of updates per event but not their size. */
function publishInParts(tx: Pick<Transaction, 'publish'>, body: UpstreamMessagesReceivedV1): void {
  const { callbackId, wabaId, value: given } = body;
  if (isAppData(given as UpstreamMessagesValue))
    return tx.publish(upstreamAppDataReceivedV1, { callbackId, wabaId, value: given });
  if (jsonBytes(body) <= UPDATES_EVENT_BYTES) return tx.publish(upstreamMessagesReceivedV1, body);
  let offset = body.offset ?? 0;
  const whole = { wabaId: body.wabaId, value: body.value as UpstreamMessagesValue };
  for (const { value } of partsOfMessages([whole], { items: Infinity, bytes: UPDATES_EVENT_BYTES * 0.75 })) {
    tx.publish(upstreamMessagesReceivedV1, { ...body, value, ...(offset > 0 && { offset }) });
    offset += value.messages?.length ?? 0;
  }
}

/** Returns true for data of the phone app, which is published as a separate event. */
const isAppData = ({ history, history_progress, state_sync }: UpstreamMessagesValue): boolean =>
  Boolean(history ?? history_progress ?? state_sync);
