import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** State of a number after each change. */
@Entity('number_changes')
export class NumberChange {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'number_id', type: 'text' }) numberId: string;
  @Column({ type: 'timestamptz' }) at: Date;
  @Column({ name: 'quality_rating', type: 'text', nullable: true }) qualityRating: string | null;
  @Column({ name: 'messaging_limit', type: 'text', nullable: true }) messagingLimit: string | null;
  @Column({ name: 'throughput_level', type: 'text', nullable: true }) throughputLevel: string | null;
  @Column({ type: 'text' }) status: string;
  @Column({ name: 'stopped_reason', type: 'text', nullable: true }) stoppedReason: string | null;
}
