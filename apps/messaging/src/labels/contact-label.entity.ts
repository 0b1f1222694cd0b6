import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Label of a contact. Deleting the contact deletes it. */
@Entity('contact_labels')
export class ContactLabel {
  @PrimaryColumn({ name: 'contact_id', type: 'text' }) contactId: string;
  @PrimaryColumn({ name: 'label_id', type: 'text' }) labelId: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
}
