import { Inject, Injectable } from '@nestjs/common';
import {
  isId,
  jsonBytes,
  newId,
  UPDATES_EVENT_BYTES,
  upstreamAppDataReceivedV1,
  upstreamMessagesReceivedV1,
  upstreamNumberChangedV1,
  upstreamTemplateChangedV1,
} from '@switchboard/contracts';
import { failsWholeBatch, type Transaction, Transactions } from '@switchboard/database';
import { Batcher, inWorkload, LOGGER, type Logger } from '@switchboard/platform';
import {
  type MessagesChange,
  type NumberChange,
  partsOfMessages,
  type SplitCallback,
  splitCallback,
  type TemplateChange,
} from '@switchboard/upstream';
import { DATABASE_DEADLINE_MS, withinDatabaseDeadline } from '../http/database-deadline';
import { boundExceeded } from '../http/json-parser';
import { CALLBACKS, STORE_CALLBACKS } from './callbacks.queries';

/**
 * Maximum updates per event. A callback may contain a thousand, and consumers apply each event in one short
 * transaction.
 */
export const UPDATES_PER_EVENT = 100;
/** Limits of one part, leaving space for the envelope around the updates. */
const PART_LIMITS = { items: UPDATES_PER_EVENT, bytes: UPDATES_EVENT_BYTES * 0.75 };

/** Maximum callbacks per transaction. */
const BATCH_CALLBACKS = 50;
const TRANSACTIONS_AT_A_TIME = 2;
/**
 * Batching interval in milliseconds. Callbacks that arrive within it are stored together; a single callback is stored
 * immediately. The platform expects half of its requests to complete within 250 ms, and sends larger batches when
 * responses are slower.
 */
const EVERY_MS = 200;

/** Maximum ids per log entry; a callback may contain a thousand statuses. */
const IDS_LOGGED = 50;

interface ReceivedCallback {
  callbackId: string;
  rawBody: Buffer;
  parts: SplitCallback;
}

/** Receives the upstream platform's callbacks and publishes them to the other services through the outbox. */
@Injectable()
export class CallbacksService {
  private readonly batches = new Batcher<ReceivedCallback, void>((callbacks) => this.store(callbacks), {
    maxItems: BATCH_CALLBACKS,
    concurrency: TRANSACTIONS_AT_A_TIME,
    everyMs: EVERY_MS,
    giveUpMs: DATABASE_DEADLINE_MS,
    isCommonFailure: failsWholeBatch,
  });

  constructor(
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Stores a verified callback and publishes its parts. Concurrent callbacks share one transaction. The callback is
   * durable once this returns. A repeated callback is stored and published again; consumers deduplicate.
   * @throws AppError UNAVAILABLE when the database is down; the upstream platform then retries
   */
  async acceptCallback(rawBody: Buffer): Promise<void> {
    const callbackId = newId('cb');
    const parts = this.withinEvents(splitCallback(this.parse(rawBody, callbackId)), callbackId);
    await withinDatabaseDeadline(this.batches.add({ callbackId, rawBody, parts }));
    const { messages, templates, numbers, appData, others } = parts;
    const counts = {
      messages: messages.length,
      templates: templates.length,
      numbers: numbers.length,
      appData: appData.length,
    };
    const messageIds = echoedIds(messages);
    this.logger.info(
      { callbackId, bytes: rawBody.length, ...counts, messageIds, otherFields: others.map(({ field }) => field) },
      'callback.accepted',
    );
  }

  /** Drops template and number changes that exceed the size of an event. Valid ones have a few hundred bytes. */
  private withinEvents(split: SplitCallback, callbackId: string): SplitCallback {
    const isSmall = ({ field, value }: TemplateChange | NumberChange): boolean => {
      const bytes = jsonBytes(value);
      if (bytes > PART_LIMITS.bytes) this.logger.warn({ callbackId, field, bytes }, 'callback.change-too-large');
      return bytes <= PART_LIMITS.bytes;
    };
    return { ...split, templates: split.templates.filter(isSmall), numbers: split.numbers.filter(isSmall) };
  }

  private async store(callbacks: readonly ReceivedCallback[]): Promise<void[]> {
    const stored = CALLBACKS.parameters(callbacks, {
      id: ({ callbackId }) => callbackId,
      body: ({ rawBody }) => rawBody,
    });
    await inWorkload('events', () =>
      this.transactions.run((tx) => {
        tx.queue(STORE_CALLBACKS, stored);
        publishAll(tx, callbacks);
      }),
    );
    return callbacks.map(() => undefined);
  }

  /**
   * Returns undefined for content that is not JSON. The callback is stored nevertheless, since a retry would not fix
   * it.
   */
  private parse(rawBody: Buffer, callbackId: string): unknown {
    if (boundExceeded(rawBody) === undefined) {
      try {
        return JSON.parse(rawBody.toString('utf8')) as unknown;
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
      }
    }
    this.logger.warn({ callbackId, bytes: rawBody.length }, 'callback.unparsable');
    return undefined;
  }
}

/** Publishes in order, so that a later status of a message does not overtake an earlier one. */
function publishAll(tx: Transaction, callbacks: readonly ReceivedCallback[]): void {
  let statuses: ReceivedCallback[] = [];
  for (const callback of callbacks) {
    if (hasStatusesOnly(callback)) {
      statuses.push(callback);
      continue;
    }
    publishStatuses(tx, statuses);
    statuses = [];
    publishParts(tx, callback);
  }
  publishStatuses(tx, statuses);
}

function hasStatusesOnly({ parts: { messages, templates, numbers, appData } }: ReceivedCallback): boolean {
  const holdsOthers = ({ value }: MessagesChange): boolean =>
    Boolean(value.messages ?? value.user_preferences ?? value.errors ?? value.calls ?? value.message_echoes);
  return [templates, numbers, appData].every((list) => list.length === 0) && !messages.some(holdsOthers);
}

/**
 * Publishes statuses, which the platform sends in separate requests. Groups those of one number, in order, under the
 * first callback's id. This is safe because, unlike for inbound messages, no ids are derived from it.
 */
function publishStatuses(tx: Transaction, callbacks: readonly ReceivedCallback[]): void {
  const changes = callbacks.flatMap(({ parts }) => parts.messages);
  const byNumber = changes.sort((one, other) => numberOf(one).localeCompare(numberOf(other)));
  const callbackId = callbacks[0]?.callbackId ?? '';
  for (const { wabaId, value } of partsOfMessages(byNumber, PART_LIMITS))
    tx.publish(upstreamMessagesReceivedV1, { callbackId, wabaId, value });
}

function numberOf({ value: { metadata } }: MessagesChange): string {
  return String(metadata?.phone_number_id ?? '');
}

function publishParts(
  tx: Transaction,
  { callbackId, parts: { messages, templates, numbers, appData } }: ReceivedCallback,
): void {
  let offset = 0;
  for (const { wabaId, value } of partsOfMessages(messages, PART_LIMITS)) {
    tx.publish(upstreamMessagesReceivedV1, { callbackId, wabaId, value, ...(offset > 0 && { offset }) });
    offset += value.messages?.length ?? 0;
  }
  for (const { wabaId, value } of partsOfMessages(appData, PART_LIMITS))
    tx.publish(upstreamAppDataReceivedV1, { callbackId, wabaId, value });
  for (const { wabaId, field, value } of templates)
    tx.publish(upstreamTemplateChangedV1, { callbackId, wabaId, field, value });
  for (const { wabaId, time, field, value } of numbers)
    tx.publish(upstreamNumberChangedV1, {
      callbackId,
      wabaId,
      field,
      value,
      ...(Number.isInteger(time) && { time }),
    });
}

/** Returns the internal message ids that the platform echoes in statuses. */
function echoedIds(changes: readonly MessagesChange[]): string[] {
  const echoes = changes.flatMap(({ value: { statuses = [] } }) =>
    statuses.map((status) => String(status.biz_opaque_callback_data)),
  );
  return [...new Set(echoes.filter((echo) => isId('msg', echo)))].slice(0, IDS_LOGGED);
}
