import { Injectable } from '@nestjs/common';
import {
  AppError,
  type ContactNote,
  type CreateNoteCommand,
  type CreateNoteReply,
  dataChangedV1,
  type DeleteNoteCommand,
  type DeleteNoteReply,
  ID_PATTERNS,
  type ListNotesCommand,
  type ListNotesReply,
  type NoteRecord,
  notFound,
  timeOfId,
} from '@switchboard/contracts';
import { pageOf, placeOf, query, type Transaction, Transactions } from '@switchboard/database';
import { DataSource } from 'typeorm';
import type { PersonKeys } from '../people/person-keys';
import {
  type ContactNoteRow,
  DELETE_NOTE,
  FIND_NOTE,
  INSERT_NOTE,
  LIST_NOTES,
  LIST_NOTES_OF_PERSON,
  type NoteRow,
} from './notes.queries';

/** Id above those of all notes. */
const AFTER_ALL = 'note_z';

/** Part of a conversation, between two positions in the order of ids without their prefixes. */
export interface ThreadPeriod extends PersonKeys {
  accountId: string;
  since: string;
  /** Exclusive end; null for no end. */
  before: string | null;
  limit: number;
}

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

  /** Returns the notes about a contact in a period, newest first. */
  async ofPeriod({ accountId, phoneKey, userId, since, before, limit }: ThreadPeriod): Promise<NoteRecord[]> {
    const period = [
      accountId,
      phoneKey,
      userId,
      `note_${since}`,
      before === null ? AFTER_ALL : `note_${before}`,
      limit,
    ];
    const rows = await query<NoteRow>(this.dataSource, LIST_NOTES_OF_PERSON, period);
    return rows.map((row) => ({ ...row, createdAt: timeOf(row) }));
  }
}

function publishChange(tx: Transaction, accountId: string, contactId: string): void {
  tx.publish(dataChangedV1, { changes: [{ accountId, kind: 'conversation', ids: [contactId] }] });
}

const timeOf = ({ id }: NoteRow): string => (timeOfId('note', id) ?? new Date(0)).toISOString();
