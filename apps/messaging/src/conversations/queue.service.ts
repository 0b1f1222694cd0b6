import { Injectable } from '@nestjs/common';
import {
  type AgentLeftV1,
  AppError,
  type ChangeConversationCommand,
  type ChangeConversationReply,
  dataChangedV1,
  type LastAssignment,
  notFound,
} from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import { type ActivityRow, LAST_ASSIGNMENT } from './activities.queries';
import { timeOfActivity } from './activities.service';
import { CHANGE_CONVERSATION, LOCK_AND_NAME_ACTOR, UNASSIGN_SOME } from './queue.queries';
import { type QueueRow, queueStateOf } from '../messages/queue-state';

/** Maximum number of conversations that one transaction unassigns. New messages of these wait for it. */
const UNASSIGNED_AT_A_TIME = 500;

/** Changes the queue state of conversations. Triggers on messages change it as well (`add-queue`). */
@Injectable()
export class QueueService {
  constructor(private readonly transactions: Transactions) {}

  /**
   * May be repeated: what the conversation already is neither conflicts nor is recorded again.
   * @throws AppError NOT_FOUND for a contact that is unknown or has no messages; ASSIGNEE_CHANGED
   */
  changeConversation(command: ChangeConversationCommand): Promise<ChangeConversationReply> {
    const { accountId, contactId, assigneeId, expectedAssigneeId, actorId, done, seenUpTo } = command;
    return this.transactions.run(async (tx) => {
      const [locked] = await tx.query<{ assigneeId: string | null }>(LOCK_AND_NAME_ACTOR, [
        accountId,
        contactId,
        actorId ?? '',
      ]);
      if (!locked) throw notFound('conversation');
      if (expectedAssigneeId !== undefined && ![expectedAssigneeId, assigneeId].includes(locked.assigneeId))
        throw await assigneeChanged(tx, command, locked.assigneeId);
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

/** Returns the error for a user who expected another assignment, with who changed it. */
async function assigneeChanged(
  tx: Transaction,
  { accountId, contactId }: ChangeConversationCommand,
  assigneeId: string | null,
): Promise<AppError> {
  const [last] = await tx.query<ActivityRow>(LAST_ASSIGNMENT, [accountId, contactId]);
  const assignment: LastAssignment = {
    assigneeId,
    changedById: last?.actorId ?? null,
    changedAt: last ? timeOfActivity(last) : null,
  };
  return new AppError('ASSIGNEE_CHANGED', { extra: { assignment } });
}
