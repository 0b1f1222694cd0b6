import { Column, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** Overrides of one account; null fields take the plan's value. */
@Entity('plan_overrides')
export class PlanOverrides {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'added_features', type: 'text', array: true }) addedFeatures: string[];
  @Column({ name: 'removed_features', type: 'text', array: true }) removedFeatures: string[];
  @Column({ name: 'bulk_recipients', type: 'int', nullable: true }) bulkRecipients: number | null;
  @Column({ name: 'excel_rows', type: 'int', nullable: true }) excelRows: number | null;
  @Column({ name: 'rate_limit', type: 'int', nullable: true }) rateLimit: number | null;
  @Column({ name: 'rate_window_seconds', type: 'int', nullable: true }) rateWindowSeconds: number | null;
  @Column({ name: 'rate_burst', type: 'int', nullable: true }) rateBurst: number | null;
  @Column({ name: 'monthly_credits', type: 'int', nullable: true }) monthlyCredits: number | null;
  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date;
}
