import { Injectable } from '@nestjs/common';
import {
  AppError,
  type ContactNote,
  type CreateNoteCommand,
  type CreateNoteReply,
  dataChangedV1,
  type DeleteNoteCommand,
  type DeleteNoteReply,
  firstIdAt,
  ID_PATTERNS,
  type ListConversationMessagesCommand,
  type ListConversationMessagesReply,
  type ListMessagesReply,
  type ListNotesCommand,
  type ListNotesReply,
  type NoteRecord,
  notFound,
  timeOfId,
} from '@switchboard/contracts';
import { encodeCursor, pageOf, placeOf, query, type Transaction, Transactions } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { keysOf } from '../people/person-keys';
import {
  type ContactNoteRow,
  DELETE_NOTE,
  FIND_NOTE,
  INSERT_NOTE,
  LIST_NOTES,
  LIST_NOTES_OF_PERSON,
  type NoteRow,
} from './notes.queries';

const FIRST_NOTE = firstIdAt('note', 0);
/** Id above those of all notes. */
const AFTER_ALL = 'note_z';

/** Stores internal notes about contacts. Notes change neither messages nor the queue state. */
@Injectable()
export class NotesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Stores a note once, also if the command is repeated.
   * @throws AppError NOT_FOUND for an unknown contact
   */
  createNote({ accountId, contactId, noteId, authorId, text }: CreateNoteCommand): Promise<CreateNoteReply> {
    return this.transactions.run(async (tx) => {
      const inserted = await tx.query(INSERT_NOTE, [accountId, contactId, noteId, authorId, text]);
      if (inserted.length > 0) publishChange(tx, accountId, contactId);
      else if ((await tx.query(FIND_NOTE, [accountId, noteId])).length === 0) throw notFound('contact');
      return { id: noteId };
    });
  }

  /** @throws AppError NOT_FOUND; ROLE_NOT_ALLOWED if another user wrote the note */
  deleteNote({ accountId, noteId, authorId }: DeleteNoteCommand): Promise<DeleteNoteReply> {
    return this.transactions.run(async (tx) => {
      const [deleted] = await tx.query<{ contactId: string }>(DELETE_NOTE, [accountId, noteId, authorId ?? null]);
      if (!deleted) {
        if ((await tx.query(FIND_NOTE, [accountId, noteId])).length === 0) throw notFound('note');
        throw new AppError('ROLE_NOT_ALLOWED', {
          message: 'your role does not allow this: another user wrote the note',
        });
      }
      publishChange(tx, accountId, deleted.contactId);
      return { id: noteId };
    });
  }

  /** Returns one page of all notes, newest first. @throws AppError INVALID_PARAMETER for an invalid cursor */
  async listNotes({ accountId, limit, cursor }: ListNotesCommand): Promise<ListNotesReply> {
    const { after, take } = placeOf({ accountId, page: 1, limit, cursor }, ID_PATTERNS.note);
    const rows = await query<ContactNoteRow>(this.dataSource, LIST_NOTES, [accountId, after ?? AFTER_ALL, take]);
    const page = pageOf(rows, limit, ({ id }) => id);
    return {
      notes: page.rows.map((row): ContactNote => ({ ...row, createdAt: timeOf(row) })),
      nextCursor: page.nextCursor,
    };
  }

  /**
   * Adds the notes of the period that a page of messages covers: from the end of the previous page to its own end, and
   * the newest notes to the first page. If these are more than `limit`, the page ends with the last note that it has,
   * and the next page continues from there.
   */
  async addNotes(
    command: ListConversationMessagesCommand,
    page: ListMessagesReply,
  ): Promise<ListConversationMessagesReply> {
    const { accountId, phone, limit } = command;
    const { phoneKey, userId } = keysOf(phone);
    const found = await query<NoteRow>(this.dataSource, LIST_NOTES_OF_PERSON, [
      accountId,
      phoneKey,
      userId,
      noteAt(endOf(command, page.nextCursor)) ?? FIRST_NOTE,
      noteAt(endOf(command, command.cursor ?? null)) ?? AFTER_ALL,
      limit + 1,
    ]);
    const rows = found.slice(0, limit);
    const notes = rows.map((row): NoteRecord => ({ ...row, createdAt: timeOf(row) }));
    const last = rows.at(-1);
    if (found.length <= limit || !last) return { ...page, notes };
    const end = messageAt(last.id);
    return {
      ...page,
      messages: page.messages.filter(({ id }) => id > end),
      notes,
      hasNext: true,
      nextCursor: encodeCursor(end),
    };
  }
}

function publishChange(tx: Transaction, accountId: string, contactId: string): void {
  tx.publish(dataChangedV1, { changes: [{ accountId, kind: 'conversation', ids: [contactId] }] });
}

/** Returns the position at which a page ends; null for the end of the list. */
function endOf(command: ListConversationMessagesCommand, cursor: string | null): string | null {
  return cursor === null ? null : placeOf({ ...command, cursor }, ID_PATTERNS.msg).after;
}

/** Returns the note id at the position of a message. Ids contain random bits, so no two objects share a position. */
const noteAt = (messageId: string | null): string | null => messageId && messageId.replace(/^msg_/, 'note_');
const messageAt = (noteId: string): string => noteId.replace(/^note_/, 'msg_');

const timeOf = ({ id }: NoteRow): string => (timeOfId('note', id) ?? new Date(0)).toISOString();
