import { Injectable } from '@nestjs/common';
import {
  ID_PATTERNS,
  type ListConversationMessagesCommand,
  type ListConversationMessagesReply,
  type ListMessagesReply,
} from '@switchboard/contracts';
import { encodeCursor, placeOf } from '@switchboard/database';
import { MessagesService } from '../messages/messages.service';
import { NotesService } from '../notes/notes.service';
import { keysOf } from '../people/person-keys';
import { ActivitiesService } from './activities.service';

/** Reads the messages of a conversation, with the notes and activities between them. */
@Injectable()
export class ThreadService {
  constructor(
    private readonly messages: MessagesService,
    private readonly notes: NotesService,
    private readonly activities: ActivitiesService,
  ) {}

  /** @throws AppError NOT_FOUND; INVALID_PARAMETER for an invalid cursor */
  async readPage(command: ListConversationMessagesCommand): Promise<ListConversationMessagesReply> {
    const page = await this.messages.listConversationMessages(command);
    return command.withNotes === true ? this.addBetween(command, page) : page;
  }

  /**
   * Adds the notes and activities of the period that a page of messages covers: from the end of the previous page to
   * its own end, and the newest ones to the first page. If more than `limit` of one kind are in the period, the page
   * ends with the last one that it has, and the next page continues from there.
   */
  private async addBetween(
    command: ListConversationMessagesCommand,
    page: ListMessagesReply,
  ): Promise<ListConversationMessagesReply> {
    const { accountId, phone, limit, cursor } = command;
    const period = {
      accountId,
      ...keysOf(phone),
      since: endOf(command, page.nextCursor) ?? '',
      before: endOf(command, cursor ?? null),
      limit: limit + 1,
    };
    const [notes, activities] = await Promise.all([this.notes.ofPeriod(period), this.activities.ofPeriod(period)]);
    const ends = [notes, activities].flatMap((found) => found.slice(limit - 1, found.length - 1).map(positionOf));
    const end = ends.sort().at(-1);
    if (end === undefined) return { ...page, notes, activities };
    const isOnPage = (entry: { id: string }): boolean => positionOf(entry) >= end;
    return {
      ...page,
      messages: page.messages.filter(isOnPage),
      notes: notes.filter(isOnPage),
      activities: activities.filter(isOnPage),
      hasNext: true,
      nextCursor: encodeCursor(`msg_${end}`),
    };
  }
}

/** Returns the position at which a page ends; null for the end of the list. */
function endOf(command: ListConversationMessagesCommand, cursor: string | null): string | null {
  const end = cursor === null ? null : placeOf({ ...command, cursor }, ID_PATTERNS.msg).after;
  return end && positionOf({ id: end });
}

/** Returns the time and random bits of an id. Messages, notes and activities share the order of their positions. */
const positionOf = ({ id }: { id: string }): string => id.slice(id.indexOf('_') + 1);
