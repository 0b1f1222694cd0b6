import { accessChangedV1, AppError } from '@switchboard/contracts';
import { query, type Transactions } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { requireAccount } from './accounts.service';
import { recordAudit } from './audit-log';
import { grantMonthly } from './monthly-grant.queries';
import type { Plan } from '../caller/plan';
import { checkFeatures } from './plans.service';

/** What an account has besides its plan; what is absent stays as it was. */
export interface OverrideChange extends Partial<Omit<Plan, 'name' | 'features'>> {
  addedFeatures?: string[];
  removedFeatures?: string[];
}

const UPSERT = `
  INSERT INTO plan_overrides AS o
    (account_id, added_features, removed_features, bulk_recipients, excel_rows, rate_limit, rate_window_seconds, rate_burst, monthly_credits)
  VALUES ($1, coalesce($2::text[], '{}'), coalesce($3::text[], '{}'), $4, $5, $6, $7, $8, $9)
  ON CONFLICT (account_id) DO UPDATE SET
    added_features = coalesce($2::text[], o.added_features),
    removed_features = coalesce($3::text[], o.removed_features),
    bulk_recipients = coalesce($4, o.bulk_recipients),
    excel_rows = coalesce($5, o.excel_rows),
    rate_limit = coalesce($6, o.rate_limit),
    rate_window_seconds = coalesce($7, o.rate_window_seconds),
    rate_burst = coalesce($8, o.rate_burst),
    monthly_credits = coalesce($9, o.monthly_credits),
    updated_at = now()`;

const SELECT_EFFECTIVE = `
  SELECT name, features, bulk_recipients AS "bulkRecipients", excel_rows AS "excelRows", rate_limit AS "rateLimit",
         rate_window_seconds AS "rateWindowSeconds", rate_burst AS "rateBurst", monthly_credits AS "monthlyCredits"
  FROM effective_plans WHERE account_id = $1`;

/** Agreements with single accounts: an account's plan with exceptions, and the change of its plan. */
export class OverridesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /** What holds for the account: its plan and what it has besides. @throws AppError NOT_FOUND */
  async planOf(accountId: string): Promise<Plan> {
    const [plan] = await query<Plan>(this.dataSource, SELECT_EFFECTIVE, [accountId]);
    if (!plan) throw new AppError('NOT_FOUND', { message: `not found: there is no account ${accountId}` });
    return plan;
  }

  /** @throws AppError NOT_FOUND, INVALID_PARAMETER for a feature that does not exist */
  async setOverrides(accountId: string, change: OverrideChange, actor: string): Promise<Plan> {
    const {
      addedFeatures,
      removedFeatures,
      bulkRecipients,
      excelRows,
      rateLimit,
      rateWindowSeconds,
      rateBurst,
      monthlyCredits,
    } = change;
    checkFeatures([...(addedFeatures ?? []), ...(removedFeatures ?? [])]);
    const figures = [
      addedFeatures,
      removedFeatures,
      bulkRecipients,
      excelRows,
      rateLimit,
      rateWindowSeconds,
      rateBurst,
      monthlyCredits,
    ];
    await this.change(
      accountId,
      { actor, action: 'account.override', details: { ...change } },
      UPSERT,
      figures.map((figure) => figure ?? null),
    );
    return this.planOf(accountId);
  }

  /** Back to the bare plan. @throws AppError NOT_FOUND */
  async resetOverrides(accountId: string, actor: string): Promise<Plan> {
    await this.change(
      accountId,
      { actor, action: 'account.reset-overrides' },
      'DELETE FROM plan_overrides WHERE account_id = $1',
      [],
    );
    return this.planOf(accountId);
  }

  /** Puts the account on another plan. @throws AppError NOT_FOUND, INVALID_PARAMETER when there is no such plan */
  async setPlan(accountId: string, plan: string, actor: string): Promise<Plan> {
    const [known] = await query(this.dataSource, 'SELECT 1 FROM plans WHERE name = $1', [plan]);
    if (!known) throw new AppError('INVALID_PARAMETER', { message: `there is no plan ${plan}` });
    await this.change(
      accountId,
      { actor, action: 'account.set-plan', details: { plan } },
      'UPDATE accounts SET plan = $2 WHERE id = $1',
      [plan],
    );
    return this.planOf(accountId);
  }

  /** One statement about the account, with its entry, the grant it may now be due, and word to every gateway. */
  private async change(
    accountId: string,
    entry: { actor: string; action: string; details?: Record<string, unknown> },
    sql: string,
    params: unknown[],
  ): Promise<void> {
    await this.transactions.run(async (tx) => {
      await requireAccount(tx, accountId);
      await tx.query(sql, [accountId, ...params]);
      await grantMonthly(tx, accountId);
      await recordAudit(tx, { ...entry, accountId, target: accountId });
      tx.publish(accessChangedV1, { accountId });
    });
  }
}
