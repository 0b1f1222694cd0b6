import { BodySchema, Doc, IsTime, Nested, type NoteRecord, OrNull } from '@switchboard/contracts';
import { IsString } from 'class-validator';

@BodySchema({ name: 'NoteAuthor' })
class NoteAuthor {
  @IsString() id: string;
  @Doc('Name of the user; null if the user no longer exists') @OrNull() @IsString() name: string | null;
}

/** Internal note in a conversation. */
@BodySchema({ name: 'Note' })
export class ThreadNote {
  @IsString() id: string;
  @Nested(() => NoteAuthor) author: NoteAuthor;
  @IsString() text: string;
  @IsTime() createdAt: string;
}

/** @param names names of users, by id */
export function threadNote(
  { id, authorId, text, createdAt }: NoteRecord,
  names: ReadonlyMap<string, string>,
): ThreadNote {
  return { id, author: { id: authorId, name: names.get(authorId) ?? null }, text, createdAt };
}
