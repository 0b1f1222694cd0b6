import { Injectable } from '@nestjs/common';
import { AppError, newId, type SendMessageCommand, type UploadedFile } from '@switchboard/contracts';
import { isDatabaseAway, isDatabaseUnreached, preparedQuery } from '@switchboard/database';
import { UpstreamError } from '@switchboard/upstream';
import { DataSource } from 'typeorm';
import { phoneMatchKey } from '../contacts/phone-match';
import { errorOfCall } from './message-error';
import { ACCEPT_SEND, BEGIN_SEND, type BegunSend, FAIL_SEND, FIND_SEND, MARK_UNKNOWN, RENEW_MEDIA, type StoredSend } from './send.queries';

/** A message that may be written down: its content as it is stored. */
export interface NewSend {
  content: object;
  caption: string | null;
  isMarketing: boolean;
  /** The upstream's id of an uploaded file. */
  mediaId: string | null;
}

/** The message a command is about. */
export type SendIds = Pick<SendMessageCommand, 'accountId' | 'messageId'>;

/** The rows of sends: written before the call, settled after it. */
@Injectable()
export class SendRows {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Writes the row, unless something speaks against the send or the row is there.
   * @throws AppError UPSTREAM_TIMEOUT when nobody can say whether the row was written
   */
  async begin(command: SendMessageCommand, { content, caption, isMarketing, mediaId }: NewSend): Promise<BegunSend> {
    const { accountId, messageId, message, upload, jobId = null, repeatable = true } = command;
    const { to, from = null, type, clientRef = null } = message;
    const identity = [messageId, accountId, from, to, type, JSON.stringify(content), clientRef, phoneMatchKey(to), newId('ct')];
    const more = [isMarketing, caption, mediaId, upload ? JSON.stringify(factsOf(upload)) : null, jobId, repeatable];
    const [begun] = await this.ask<BegunSend>(BEGIN_SEND, [...identity, ...more]);
    if (!begun) throw new Error('a send that began has no outcome');
    return begun;
  }

  /** What is known of a message that was begun before. */
  async find({ accountId, messageId }: SendIds): Promise<StoredSend | undefined> {
    const [stored] = await this.ask<StoredSend>(FIND_SEND, [messageId, accountId]);
    return stored;
  }

  /** The file of a send that is under way has another id upstream. */
  async renewMedia({ accountId, messageId }: SendIds, mediaId: string): Promise<void> {
    await this.ask(RENEW_MEDIA, [messageId, accountId, mediaId]);
  }

  /** Writes down the call's outcome. @returns the row as it is now: a callback may have settled it first */
  storeOutcome(ids: SendIds, outcome: { messageId: string } | UpstreamError): Promise<StoredSend | undefined> {
    if (!(outcome instanceof UpstreamError)) return this.settle(ACCEPT_SEND, ids, outcome.messageId);
    if (outcome.kind === 'unknown-outcome') return this.settle(MARK_UNKNOWN, ids);
    return this.settle(FAIL_SEND, ids, JSON.stringify(errorOfCall(outcome)));
  }

  private async settle(sql: string, ids: SendIds, value?: string): Promise<StoredSend | undefined> {
    const params = [ids.messageId, ids.accountId, ...(value === undefined ? [] : [value])];
    try {
      const [stored] = await preparedQuery<StoredSend>(this.dataSource, sql, params);
      return stored ?? (await this.find(ids));
    } catch (error) {
      // Upstream was called and the row does not say so: that is what the reconciler is for.
      throw new AppError('UPSTREAM_TIMEOUT', { cause: error });
    }
  }

  /** When the answer is lost the row may be there all the same, and the reconciler will send it: nobody must be told otherwise. */
  private async ask<Row>(sql: string, params: unknown[]): Promise<Row[]> {
    try {
      return await preparedQuery<Row>(this.dataSource, sql, params);
    } catch (error) {
      if (isDatabaseAway(error) && !isDatabaseUnreached(error)) throw new AppError('UPSTREAM_TIMEOUT', { cause: error });
      throw error;
    }
  }
}

function factsOf({ mimeType, bytes, sha256, filename }: UploadedFile): object {
  return { mimeType, bytes, sha256, ...(filename && { filename }) };
}
