import { accessChangedV1, AppError } from '@switchboard/contracts';
import { query, type Transactions } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { recordAudit } from './audit-log';
import { type Plan, PLAN_FEATURES } from '../caller/plan';

/** The figures to change; what is absent stays as it is. */
export type PlanChange = Partial<Omit<Plan, 'name'>>;

/** A plan as it is kept: without a burst of its own, as many requests at once as in a window. */
export type PlanRecord = Omit<Plan, 'rateBurst'> & { rateBurst: number | null };

const COLUMNS = `name, features, bulk_recipients AS "bulkRecipients", excel_rows AS "excelRows", rate_limit AS "rateLimit",
  rate_window_seconds AS "rateWindowSeconds", rate_burst AS "rateBurst", monthly_credits AS "monthlyCredits"`;

/** A new plan has the table's defaults, and the starter's rate limit, where nothing is given. */
const UPSERT = `
  INSERT INTO plans AS p (name, features, bulk_recipients, excel_rows, rate_limit, rate_window_seconds,
    monthly_credits, rate_burst)
  VALUES ($1, coalesce($2::text[], '{}'), coalesce($3::int, 0), coalesce($4::int, 0), coalesce($5::int, 60),
    coalesce($6::int, 60), coalesce($7::int, 0), $8::int)
  ON CONFLICT (name) DO UPDATE SET
    features = coalesce($2::text[], p.features),
    bulk_recipients = coalesce($3::int, p.bulk_recipients),
    excel_rows = coalesce($4::int, p.excel_rows),
    rate_limit = coalesce($5::int, p.rate_limit),
    rate_window_seconds = coalesce($6::int, p.rate_window_seconds),
    monthly_credits = coalesce($7::int, p.monthly_credits),
    rate_burst = coalesce($8::int, p.rate_burst)
  RETURNING ${COLUMNS}`;

/** Plans are data: a change holds from the next request of every account on the plan. */
export class PlansService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  listPlans(): Promise<PlanRecord[]> {
    return query<PlanRecord>(this.dataSource, `SELECT ${COLUMNS} FROM plans ORDER BY rate_limit, name`);
  }

  /** Changes a plan, or makes a new one. @throws AppError INVALID_PARAMETER for a feature that does not exist */
  setPlan(name: string, change: PlanChange, actor: string): Promise<PlanRecord> {
    checkFeatures(change.features ?? []);
    const { features, bulkRecipients, excelRows, rateLimit, rateWindowSeconds, monthlyCredits, rateBurst } = change;
    const values = [
      name,
      features,
      bulkRecipients,
      excelRows,
      rateLimit,
      rateWindowSeconds,
      monthlyCredits,
      rateBurst,
    ].map((value) => value ?? null);
    return this.transactions.run(async (tx) => {
      const [plan] = await tx.query<PlanRecord>(UPSERT, values);
      if (!plan) throw new Error('INSERT … RETURNING gave no row');
      await recordAudit(tx, { actor, action: 'plan.set', target: name, details: { ...change } });
      tx.publish(accessChangedV1, { planName: name });
      return plan;
    });
  }
}

/** @throws AppError INVALID_PARAMETER for a feature that does not exist */
export function checkFeatures(features: readonly string[]): void {
  const unknown = features.find((feature) => !PLAN_FEATURES.some((known) => known === feature));
  if (unknown !== undefined)
    throw new AppError('INVALID_PARAMETER', {
      message: `there is no feature ${unknown}: use ${PLAN_FEATURES.join(', ')}`,
    });
}
