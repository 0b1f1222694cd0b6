import { Injectable } from '@nestjs/common';
import {
  AppError,
  ChangeConversationCommand,
  type ChangeConversationReply,
  isId,
  type LastAssignment,
  notFound,
} from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { AuditedChanges } from '../audit-log/audited-changes';
import { fieldError } from '../http/field-error';
import { MessageAuthors } from '../messages/message-authors';
import type { ChangeBy } from '../request-context/console-user';
import { UsersService } from '../users/users.service';
import { activityUser } from './thread-activity';

/** Change of a conversation; absent fields stay unchanged. */
export interface QueueChange {
  contactId: string;
  /** User who makes the change. */
  actorId: string;
  /** Empty to unassign. */
  assigneeId?: string;
  /** User to whom the conversation must still be assigned; empty for nobody. */
  expectedAssigneeId?: string;
  done?: boolean;
  seenUpTo?: string;
}

/** Changes the queue state of conversations and records the actor. */
@Injectable()
export class QueueChanges {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly users: UsersService,
    private readonly changes: AuditedChanges,
    private readonly authors: MessageAuthors,
  ) {}

  /** @throws AppError MISSING_FIELD, INVALID_VALUE, NOT_FOUND, ASSIGNEE_CHANGED */
  async change(by: ChangeBy, { contactId, actorId, ...fields }: QueueChange): Promise<ChangeConversationReply> {
    // A body may have null for an absent field.
    const given = fields.assigneeId ?? undefined;
    const expected = fields.expectedAssigneeId ?? undefined;
    const done = fields.done ?? undefined;
    const seenUpTo = fields.seenUpTo ?? undefined;
    if (given === undefined && done === undefined && seenUpTo === undefined)
      throw new AppError('MISSING_FIELD', { message: 'give assigneeId, done or seenUpTo' });
    if (expected !== undefined && given === undefined)
      throw fieldError('MISSING_FIELD', 'assigneeId', 'assigneeId is required with expectedAssigneeId');
    if (done === true && seenUpTo === undefined)
      throw fieldError('MISSING_FIELD', 'seenUpTo', 'seenUpTo is required to mark a conversation as done');
    if (seenUpTo !== undefined && !isId('msg', seenUpTo))
      throw fieldError('INVALID_VALUE', 'seenUpTo', 'seenUpTo is not the ID of a message');
    if (given && !(isId('usr', given) && (await this.users.isAssignable(by.accountId, given))))
      throw notFound('member of the team');
    const assigneeId = given === '' ? null : given;
    const entry = {
      ...by,
      action: actionOf({ assigneeId, done }),
      target: contactId,
      // An assignment may also change the state.
      ...(assigneeId !== undefined && { details: { assigneeId, done } }),
    };
    const expectedAssigneeId = expected === '' ? null : expected;
    const change = { contactId, assigneeId, expectedAssigneeId, actorId, done, seenUpTo };
    try {
      return await this.changes.request(entry, ChangeConversationCommand, change, (command) =>
        this.messaging.changeConversation(command),
      );
    } catch (error) {
      throw error instanceof AppError && error.code === 'ASSIGNEE_CHANGED'
        ? await this.named(by.accountId, error)
        : error;
    }
  }

  /** Adds the names of users to a conflict. */
  private async named(accountId: string, { code, extra }: AppError): Promise<AppError> {
    const { assigneeId, changedById, changedAt } = extra?.['assignment'] as LastAssignment;
    const names = await this.authors.namesOf(accountId, [assigneeId ?? [], changedById ?? []].flat());
    const assignment = {
      assignee: activityUser(assigneeId, names),
      changedBy: activityUser(changedById, names),
      changedAt,
    };
    return new AppError(code, { extra: { assignment } });
  }
}

function actionOf({ assigneeId, done }: { assigneeId: string | null | undefined; done: boolean | undefined }): string {
  if (assigneeId !== undefined) return assigneeId === null ? 'conversation.unassign' : 'conversation.assign';
  if (done !== undefined) return done ? 'conversation.done' : 'conversation.reopen';
  return 'conversation.see';
}
