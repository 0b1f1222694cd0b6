import { Inject, Injectable } from '@nestjs/common';
import { newId, upstreamMessagesReceivedV1, upstreamTemplateChangedV1 } from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import { LOGGER, type Logger } from '@switchboard/platform';
import { splitCallback } from '@switchboard/upstream';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { isNestedTooDeeply } from '../http/json-parser';

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
    const { messages, templates, others } = parts;
    const otherFields = others.map(({ field }) => field);
    this.logger.info({ callbackId, messages: messages.length, templates: templates.length, otherFields }, 'callback.accepted');
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

function publishParts(tx: Transaction, callbackId: string, { messages, templates }: ReturnType<typeof splitCallback>): void {
  for (const { wabaId, value } of messages) tx.publish(upstreamMessagesReceivedV1, { callbackId, wabaId, value });
  for (const { wabaId, field, value } of templates) tx.publish(upstreamTemplateChangedV1, { callbackId, wabaId, field, value });
}
