import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One request of a delivery. The table is partitioned by id. */
@Entity('attempts')
export class Attempt {
  @PrimaryColumn({ name: 'delivery_id', type: 'text' }) deliveryId: string;
  @PrimaryColumn({ type: 'int' }) attempt: number;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'text' }) url: string;
  @Column({ name: 'started_at', type: 'timestamptz' }) startedAt: Date;
  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true }) finishedAt: Date | null;
  @Column({ name: 'duration_ms', type: 'int', nullable: true }) durationMs: number | null;
  @Column({ name: 'status_code', type: 'int', nullable: true }) statusCode: number | null;
  @Column({ name: 'error_class', type: 'text', nullable: true }) errorClass: string | null;
  @Column({ name: 'answer_head', type: 'bytea', nullable: true }) answerHead: Buffer | null;
}
