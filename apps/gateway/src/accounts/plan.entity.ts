import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A plan as stored. `Plan` is the effective plan of an account. */
@Entity('plans')
export class PlanEntity {
  @PrimaryColumn({ type: 'text' }) name: string;
  @Column({ type: 'text', array: true }) features: string[];
  @Column({ name: 'bulk_recipients', type: 'int' }) bulkRecipients: number;
  @Column({ name: 'excel_rows', type: 'int' }) excelRows: number;
  @Column({ name: 'rate_limit', type: 'int' }) rateLimit: number;
  @Column({ name: 'rate_window_seconds', type: 'int' }) rateWindowSeconds: number;
  /** Null: the burst equals the rate limit. */
  @Column({ name: 'rate_burst', type: 'int', nullable: true }) rateBurst: number | null;
  @Column({ name: 'monthly_credits', type: 'int' }) monthlyCredits: number;
}
