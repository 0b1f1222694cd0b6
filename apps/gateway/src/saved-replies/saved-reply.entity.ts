import { Column, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** Prepared text that the users of an account insert into messages. */
@Entity('saved_replies')
export class SavedReply {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'text' }) name: string;
  /** Name without case, which is unique per account. */
  @Column({ name: 'name_key', type: 'text' }) nameKey: string;
  @Column({ type: 'text' }) text: string;
  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date;
}
