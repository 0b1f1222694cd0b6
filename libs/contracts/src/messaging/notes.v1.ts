import { IsInt, IsOptional, IsString, Max, Min, MinLength } from 'class-validator';
import { IsTime, ListOf } from '../body-docs';
import { PAGE_ITEMS_MAX } from '../lists';
import { command, SMALL_COMMAND_BYTES } from '../message-contract';
import { IsNotBlank, IsStorableText, MaxUnits } from '../validation';

/** Maximum UTF-16 units of a note. */
export const NOTE_MAX_CHARACTERS = 4_000;

/** Internal note about a contact. The contact never sees it, and it is no message. */
export class NoteRecord {
  @IsString() id: string;
  @IsString() contactId: string;
  /** User who wrote the note. */
  @IsString() authorId: string;
  @IsString() text: string;
  @IsTime() createdAt: string;
}

export const noteSample: NoteRecord = {
  id: 'note_01jd0000000000000000000000',
  contactId: 'ct_01jd0000000000000000000000',
  authorId: 'usr_01jd0000000000000000000000',
  text: 'Prefers calls after 18:00',
  createdAt: '2026-03-02T10:20:00.000Z',
};

export class CreateNoteCommand {
  @IsString() accountId: string;
  @IsString() contactId: string;
  /** Id of the new note. A repeated command with the same id creates no second note. */
  @IsString() noteId: string;
  @IsString() authorId: string;
  @IsNotBlank() @MinLength(1) @MaxUnits(NOTE_MAX_CHARACTERS) @IsStorableText() text: string;
}

export class CreateNoteReply {
  @IsString() id: string;
}

/** Error: NOT_FOUND (unknown contact, or of another account). */
export const createNoteV1 = command({
  name: 'messaging.create-note.v1',
  owner: 'messaging',
  description: 'Stores an internal note about a contact.',
  request: CreateNoteCommand,
  response: CreateNoteReply,
  changes: true,
  timeoutMs: 5_000,
  maxBytes: 8 * NOTE_MAX_CHARACTERS,
  // Low, to leave the memory of the process to sends: commands can be large.
  prefetch: 16,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      contactId: noteSample.contactId,
      noteId: noteSample.id,
      authorId: noteSample.authorId,
      text: noteSample.text,
    },
    response: { id: noteSample.id },
  },
});

export class DeleteNoteCommand {
  @IsString() accountId: string;
  @IsString() noteId: string;
  /** Restricts the deletion to a note of this user. */
  @IsOptional() @IsString() authorId?: string;
}

export class DeleteNoteReply {
  @IsString() id: string;
}

/** Errors: NOT_FOUND (unknown, or of another account); ROLE_NOT_ALLOWED (of another author). */
export const deleteNoteV1 = command({
  name: 'messaging.delete-note.v1',
  owner: 'messaging',
  description: 'Deletes an internal note about a contact.',
  request: DeleteNoteCommand,
  response: DeleteNoteReply,
  changes: true,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', noteId: noteSample.id },
    response: { id: noteSample.id },
  },
});

export class ListNotesCommand {
  @IsString() accountId: string;
  @IsInt() @Min(1) @Max(PAGE_ITEMS_MAX) limit: number;
  /** Position after the last note of an earlier page. */
  @IsOptional() @IsString() cursor?: string;
}

/** Note with the contact that it is about. */
export class ContactNote extends NoteRecord {
  /** Null if the contact's number is hidden. */
  @IsOptional() @IsString() phone: string | null;
  @IsOptional() @IsString() userId: string | null;
  @IsOptional() @IsString() contactName: string | null;
}

export class ListNotesReply {
  @ListOf(() => ContactNote) notes: ContactNote[];
  @IsOptional() @IsString() nextCursor: string | null;
}

export const listNotesV1 = command({
  name: 'messaging.list-notes.v1',
  owner: 'messaging',
  description: "Returns one page of an account's internal notes, newest first.",
  request: ListNotesCommand,
  response: ListNotesReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', limit: 100 },
    response: {
      notes: [{ ...noteSample, phone: '919812345678', userId: null, contactName: 'Asha R' }],
      nextCursor: null,
    },
  },
});
