import { Column, ViewColumn, ViewEntity } from 'typeorm';

/** Account's plan with its overrides applied. The account relation is only for query conditions. */
@ViewEntity({ name: 'effective_plans' })
export class EffectivePlan {
  @Column({ name: 'account_id', type: 'text', select: false }) accountId: string;
  @ViewColumn() name: string;
  @ViewColumn() features: string[];
  @ViewColumn({ name: 'bulk_recipients' }) bulkRecipients: number;
  @ViewColumn({ name: 'excel_rows' }) excelRows: number;
  @ViewColumn({ name: 'rate_limit' }) rateLimit: number;
  @ViewColumn({ name: 'rate_window_seconds' }) rateWindowSeconds: number;
  @ViewColumn({ name: 'rate_burst' }) rateBurst: number;
  @ViewColumn({ name: 'monthly_credits' }) monthlyCredits: number;
}
