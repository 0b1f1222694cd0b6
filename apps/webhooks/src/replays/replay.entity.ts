import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

@Entity('replays')
export class Replay {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'endpoint_id', type: 'text', nullable: true }) endpointId: string | null;
  @Column({ type: 'text' }) position: string;
  @Column({ type: 'text' }) until: string;
  @Column({ type: 'int' }) total: number;
  @Column({ type: 'int' }) replayed: number;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true }) finishedAt: Date | null;
  @Column({ name: 'stepped_at', type: 'timestamptz', nullable: true }) steppedAt: Date | null;
  @Column({ type: 'text', nullable: true }) kind: string | null;
}
