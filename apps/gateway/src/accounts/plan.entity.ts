import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Stored plan. `Plan` is an account's effective plan. */
@Entity('plans')
export class PlanEntity {
  @PrimaryColumn({ type: 'text' }) name: string;
  @Column({ type: 'text', array: true }) features: string[];
  @Column({ name: 'bulk_recipients', type: 'int' }) bulkRecipients: number;
  @Column({ name: 'excel_rows', type: 'int' }) excelRows: number;
  @Column({ name: 'rate_limit', type: 'int' }) rateLimit: number;
  @Column({ name: 'rate_window_seconds', type: 'int' }) rateWindowSeconds: number;
  /** Null if the burst equals the rate limit. */
  @Column({ name: 'rate_burst', type: 'int', nullable: true }) rateBurst: number | null;
  @Column({ name: 'monthly_credits', type: 'int' }) monthlyCredits: number;
}
