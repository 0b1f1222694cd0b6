import { Inject, Injectable } from '@nestjs/common';
import { newId, upstreamMessagesReceivedV1, upstreamNumberChangedV1, upstreamTemplateChangedV1 } from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import { LOGGER, type Logger } from '@switchboard/platform';
import { partsOfMessages, type SplitCallback, splitCallback } from '@switchboard/upstream';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { isNestedTooDeeply } from '../http/json-parser';

/** A callback may bring a thousand updates: its consumer gets them in parts that it can apply in one short transaction. */
export const UPDATES_PER_EVENT = 100;

/** Takes in what the upstream platform reports; others work with it, from the outbox on. */
@Injectable()
export class CallbacksService {
  constructor(
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Stores a verified callback and publishes its parts, in one transaction: when this returns, nothing of it can be lost.
   * A callback that comes twice is stored and published twice; its consumers know what they have seen.
   * @throws AppError UNAVAILABLE when the database is away: the upstream platform then calls again
   */
  async acceptCallback(rawBody: Buffer): Promise<void> {
    const callbackId = newId('cb');
    const parts = splitCallback(this.parse(rawBody, callbackId));
    const store = this.transactions.run(async (tx) => {
      await tx.query('INSERT INTO callback_inbox (id, body) VALUES ($1, $2)', [callbackId, rawBody]);
      publishParts(tx, callbackId, parts);
    });
    await withinDatabaseDeadline(store);
    const { messages, templates, numbers, others } = parts;
    const counts = { messages: messages.length, templates: templates.length, numbers: numbers.length };
    this.logger.info({ callbackId, bytes: rawBody.length, ...counts, otherFields: others.map(({ field }) => field) }, 'callback.accepted');
  }

  /** What is signed but no JSON is kept all the same: sending it again would not make it better. */
  private parse(rawBody: Buffer, callbackId: string): unknown {
    if (!isNestedTooDeeply(rawBody)) {
      try {
        return JSON.parse(rawBody.toString('utf8')) as unknown;
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
      }
    }
    this.logger.warn({ callbackId, bytes: rawBody.length }, 'callback.not-understood');
    return undefined;
  }
}

function publishParts(tx: Transaction, callbackId: string, { messages, templates, numbers }: SplitCallback): void {
  let offset = 0;
  for (const { wabaId, value } of partsOfMessages(messages, UPDATES_PER_EVENT)) {
    tx.publish(upstreamMessagesReceivedV1, { callbackId, wabaId, value, ...(offset > 0 && { offset }) });
    offset += value.messages?.length ?? 0;
  }
  for (const { wabaId, field, value } of templates) tx.publish(upstreamTemplateChangedV1, { callbackId, wabaId, field, value });
  for (const { wabaId, field, value } of numbers) tx.publish(upstreamNumberChangedV1, { callbackId, wabaId, field, value });
}
