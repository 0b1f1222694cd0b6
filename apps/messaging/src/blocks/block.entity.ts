import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A contact that a business number blocks. */
@Entity('blocks')
export class Block {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'number_id', type: 'text' }) numberId: string;
  /** Phone number, or user id of a contact with a hidden number. */
  @Column({ type: 'text' }) phone: string;
  /** Match key of the phone number, or the user id. */
  @Column({ name: 'phone_key', type: 'text' }) phoneKey: string;
  @Column({ name: 'blocked_at', type: 'timestamptz' }) blockedAt: Date;
}
