import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Schedule for reading the block list of a number from the upstream platform. */
@Entity('block_reads')
export class BlockRead {
  @PrimaryColumn({ name: 'number_id', type: 'text' }) numberId: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'due_at', type: 'timestamptz' }) dueAt: Date;
  @Column({ name: 'changed_at', type: 'timestamptz' }) changedAt: Date;
  @Column({ type: 'int' }) failures: number;
}
