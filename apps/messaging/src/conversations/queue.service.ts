import { Injectable } from '@nestjs/common';
import {
  type AgentLeftV1,
  type ChangeConversationCommand,
  type ChangeConversationReply,
  dataChangedV1,
  notFound,
} from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { LOCK_CONVERSATION } from '../receipts/receipts.queries';
import { CHANGE_CONVERSATION, UNASSIGN_SOME } from './queue.queries';
import { type QueueRow, queueStateOf } from '../messages/queue-state';

/** Maximum number of conversations that one transaction unassigns. New messages of these wait for it. */
const UNASSIGNED_AT_A_TIME = 500;

/** Changes the queue state of conversations. Triggers on messages change it as well (`add-queue`). */
@Injectable()
export class QueueService {
  constructor(private readonly transactions: Transactions) {}

  /** @throws AppError NOT_FOUND for a contact that is unknown or has no messages */
  changeConversation(command: ChangeConversationCommand): Promise<ChangeConversationReply> {
    const { accountId, contactId, assigneeId, done, seenUpTo } = command;
    return this.transactions.run(async (tx) => {
      await tx.query(LOCK_CONVERSATION, [accountId, contactId]);
      const [row] = await tx.query<QueueRow & { unreadCount: number }>(CHANGE_CONVERSATION, {
        accountId,
        contactId,
        isAssigned: assigneeId !== undefined,
        assigneeId: assigneeId ?? null,
        done: done ?? null,
        seenUpTo: seenUpTo ?? null,
      });
      if (!row) throw notFound('conversation');
      tx.publish(dataChangedV1, { changes: [{ accountId, kind: 'conversation', ids: [contactId] }] });
      return { queue: queueStateOf(row), unreadCount: row.unreadCount };
    });
  }

  /** Unassigns all conversations of a user. May be repeated. */
  async unassignAll({ accountId, userId }: AgentLeftV1): Promise<void> {
    // Only an empty batch is the last: a batch skips conversations that were reassigned while it waited for locks.
    for (let count = -1; count !== 0; )
      count = await this.transactions.run(async (tx) => {
        const unassigned = await tx.query(UNASSIGN_SOME, [accountId, userId, UNASSIGNED_AT_A_TIME]);
        if (unassigned.length > 0) tx.publish(dataChangedV1, { changes: [{ accountId, kind: 'conversation' }] });
        return unassigned.length;
      });
  }
}
