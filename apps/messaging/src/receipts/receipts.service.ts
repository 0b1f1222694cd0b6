import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  dataChangedV1,
  type MarkReadCommand,
  type MarkReadReply,
  notFound,
  timeOfId,
} from '@switchboard/contracts';
import { markSideEffect, query, Transactions } from '@switchboard/database';
import { CONFIG, counter } from '@switchboard/platform';
import { UpstreamError } from '@switchboard/upstream';
import { DataSource } from 'typeorm';
import type { MessagingConfig } from '../config';
import { refusalOfCall } from '../messages/message-error';
import { SuspendedNumbers } from '../numbers/suspended-numbers';
import { UpstreamNumbers } from '../numbers/upstream-numbers';
import {
  FIND_RECEIVED,
  FIND_RECEIVED_BY_UPSTREAM_ID,
  LOCK_CONVERSATION,
  NOTE_CONVERSATION_READ,
  NOTE_READ,
  type ReceivedRow,
} from './receipts.queries';

/** Part of the caller's deadline that is reserved for storing the receipt and returning the reply. */
const REPLY_MARGIN_MS = 1_000;

const receipts = counter('messaging_receipts_total', 'Read receipts and typing indicators: taken, refused, repeated', {
  outcome: ['taken', 'refused', 'repeated'],
});

/** An inbound message with an upstream id. */
type Received = ReceivedRow & { upstreamId: string };

/**
 * Sends read receipts. The platform is called before the rows are updated. A crash in between leaves a receipt that is
 * not stored, and repeating the call changes nothing.
 */
@Injectable()
export class ReceiptsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly upstream: UpstreamNumbers,
    private readonly suspendedNumbers: SuspendedNumbers,
    @Inject(CONFIG) private readonly config: Pick<MessagingConfig, 'UPSTREAM_TIMEOUT_MS'>,
  ) {}

  /**
   * Marks a message as read unless it already is. Shows a typing indicator each time.
   * @param deadline time at which the caller stops waiting, on the clock of `performance.now()`
   * @throws AppError NOT_FOUND, INVALID_PARAMETER, NUMBER_STOPPED, or the error of the platform
   */
  async markRead(
    { accountId, id, typing = false }: MarkReadCommand,
    deadline = Number.POSITIVE_INFINITY,
  ): Promise<MarkReadReply> {
    const message = await this.find(accountId, id);
    if (message.readAt && !typing) {
      receipts.inc({ outcome: 'repeated' });
      return replyOf(message, message.readAt);
    }
    const timeoutMs = Math.min(this.config.UPSTREAM_TIMEOUT_MS, deadline - REPLY_MARGIN_MS - performance.now());
    // The caller has stopped waiting, and the platform was not called.
    if (timeoutMs <= 0) throw new AppError('UNAVAILABLE');
    await this.tell(accountId, message, { typing, timeoutMs });
    // From here on, an error must not report that nothing was done.
    markSideEffect();
    receipts.inc({ outcome: 'taken' });
    return replyOf(message, await this.note(accountId, message));
  }

  private async find(accountId: string, id: string): Promise<Received> {
    const sql = timeOfId('msg', id) ? FIND_RECEIVED : FIND_RECEIVED_BY_UPSTREAM_ID;
    const [row] = await query<ReceivedRow>(this.dataSource, sql, [accountId, id]);
    if (!row) throw notFound('message');
    const { upstreamId, direction } = row;
    if (direction === 'outbound' || upstreamId === null)
      throw new AppError('INVALID_PARAMETER', {
        message: 'you sent this message: only received messages can be marked as read',
      });
    return { ...row, upstreamId };
  }

  private async tell(
    accountId: string,
    { numberId, phoneNumberId, sealedAccessToken, upstreamId: messageId }: Received,
    options: { typing: boolean; timeoutMs: number },
  ): Promise<void> {
    const number = { id: numberId, phoneNumberId, sealedAccessToken };
    await this.suspendedNumbers.rejectIfSuspended(accountId, number);
    try {
      await this.upstream.markRead(number, { messageId, ...options });
    } catch (error) {
      receipts.inc({ outcome: 'refused' });
      await this.suspendedNumbers.suspendIfRejected(number, error);
      throw error instanceof UpstreamError ? refusalOf(error) : error;
    }
  }

  private note(accountId: string, { id, contactId }: Received): Promise<Date> {
    return this.transactions.run(async (tx) => {
      const [noted] = await tx.query<{ readAt: Date }>(NOTE_READ, [accountId, id]);
      // The contact was erased meanwhile.
      if (!noted) throw notFound('message');
      if (contactId === null) return noted.readAt;
      await tx.query(LOCK_CONVERSATION, [accountId, contactId]);
      await tx.query(NOTE_CONVERSATION_READ, [accountId, contactId, id]);
      tx.publish(dataChangedV1, { changes: [{ accountId, kind: 'conversation', ids: [contactId] }] });
      return noted.readAt;
    });
  }
}

function refusalOf(error: UpstreamError): AppError {
  if (error.kind !== 'unknown-outcome') return refusalOfCall(error);
  const message = 'the upstream platform did not answer in time: the customer may see the receipt. You may repeat it';
  return new AppError('UPSTREAM_TIMEOUT', { message, cause: error });
}

function replyOf({ id, upstreamId }: Received, readAt: Date): MarkReadReply {
  return { id, upstreamId, readAt: readAt.toISOString() };
}
