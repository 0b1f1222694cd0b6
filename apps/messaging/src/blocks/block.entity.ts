import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A contact that a business number blocks. */
@Entity('blocks')
export class Block {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'number_id', type: 'text' }) numberId: string;
  @Column({ type: 'text' }) phone: string;
  @Column({ name: 'phone_key', type: 'text' }) phoneKey: string;
  @Column({ name: 'blocked_at', type: 'timestamptz' }) blockedAt: Date;
}
