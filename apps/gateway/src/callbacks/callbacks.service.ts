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
 * A callback may bring a thousand updates: its consumer gets them in parts that it can apply in one short transaction.
 */
export const UPDATES_PER_EVENT = 100;
/** Leaves room for what stands around the updates. */
const PART_LIMITS = { items: UPDATES_PER_EVENT, bytes: UPDATES_EVENT_BYTES * 0.75 };

/** Callbacks that one transaction stores at most. */
const BATCH_CALLBACKS = 50;
const TRANSACTIONS_AT_A_TIME = 2;
/**
 * What comes in within this time is stored together; a callback that comes alone is stored at once. The platform wants
 * half of its calls answered within 250 ms, and puts more into each when answers take longer.
 */
const EVERY_MS = 200;

/** A callback may bring a thousand statuses. */
const IDS_LOGGED = 50;

interface ReceivedCallback {
  callbackId: string;
  rawBody: Buffer;
  parts: SplitCallback;
}

/** Takes in what the upstream platform reports; others work with it, from the outbox on. */
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
   * Stores a verified callback and publishes its parts, in one transaction, which those that come at the same time
   * share: when this returns, nothing of it can be lost. A callback that comes twice is stored and published twice; its
   * consumers know what they have seen.
   * @throws AppError UNAVAILABLE when the database is away: the upstream platform then calls again
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

  /** Without changes of templates and numbers that no event can carry: theirs take a few hundred bytes. */
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

  /** What is signed but no JSON is kept all the same: sending it again would not make it better. */
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

/** In their order: a later status of a message must not overtake an earlier one. */
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
 * The platform calls for each status by itself. Those of one number leave together, in their order, under the first
 * callback's id: nothing is made of a status callback's id, unlike that of one with inbound messages.
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

/** Internal ids of messages that the statuses echo. */
function echoedIds(changes: readonly MessagesChange[]): string[] {
  const echoes = changes.flatMap(({ value: { statuses = [] } }) =>
    statuses.map((status) => String(status.biz_opaque_callback_data)),
  );
  return [...new Set(echoes.filter((echo) => isId('msg', echo)))].slice(0, IDS_LOGGED);
}
