import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Internal note about a contact. Its id contains the time. */
@Entity('notes')
export class Note {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'contact_id', type: 'text' }) contactId: string;
  /** User who wrote the note. */
  @Column({ name: 'author_id', type: 'text' }) authorId: string;
  @Column({ type: 'text' }) text: string;
}
