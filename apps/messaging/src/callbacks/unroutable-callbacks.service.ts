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
 * So many are kept of a number: a number that others use besides Switchboard may bring any number of them, for ever.
 */
const MOST_OF_NUMBER = 1_000;
/** Whoever connects a number adds it soon. */
const KEPT = '24 hours';

/**
 * Keeps a callback, unless there are too many of its number; no row comes back then. $1 new id, $2 the upstream's id of
 * the number, $3 body
 */
const STORE_UNROUTABLE = `
  INSERT INTO unowned_callbacks (id, phone_number_id, body)
  SELECT $1, $2, $3::jsonb
  WHERE (SELECT count(*) FROM (SELECT 1 FROM unowned_callbacks WHERE phone_number_id = $2 LIMIT ${MOST_OF_NUMBER})
    AS kept) < ${MOST_OF_NUMBER}
  RETURNING id`;

/** Takes callbacks of numbers that somebody has by now, in the order in which they came. $1 most rows */
export const TAKE_ROUTABLE = `
  WITH owned AS (
    SELECT unowned_callbacks.id FROM unowned_callbacks JOIN numbers USING (phone_number_id)
    WHERE removed_at IS NULL
    ORDER BY unowned_callbacks.id LIMIT $1 FOR UPDATE OF unowned_callbacks SKIP LOCKED
  ), taken AS (
    DELETE FROM unowned_callbacks WHERE id IN (SELECT id FROM owned) RETURNING id, body
  )
  SELECT body FROM taken ORDER BY id`;

/** $1 most rows */
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
 * Callbacks about numbers that no account has. Upstream has its 200 and does not send them again, so they wait for a
 * day: a number that is connected upstream first and added here a moment later loses nothing.
 */
@Injectable()
export class UnroutableCallbacks {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Keeps one for its number, or drops it when there are many. Delivered twice it is kept twice: applying it again
   * changes nothing.
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
   * Hands over those whose number was added, as if they had come now, and drops old ones.
   * @returns whether there may be more to do
   */
  @Every({ name: 'unowned-callbacks', everyMs: LOOK_EVERY_MS })
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

/** Versions before this one bounded the updates of an event by their number alone, and may have kept larger ones. */
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

/** What a phone app shares of itself comes by an event of its own. */
const isAppData = ({ history, history_progress, state_sync }: UpstreamMessagesValue): boolean =>
  Boolean(history ?? history_progress ?? state_sync);
