import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // Requests at once; as many as the limit when absent.
  'ALTER TABLE plans ADD COLUMN rate_burst int CHECK (rate_burst > 0)',
  `CREATE TABLE plan_overrides (
     account_id text PRIMARY KEY REFERENCES accounts (id),
     added_features text[] NOT NULL DEFAULT '{}',
     removed_features text[] NOT NULL DEFAULT '{}',
     bulk_recipients int CHECK (bulk_recipients >= 0),
     excel_rows int CHECK (excel_rows BETWEEN 0 AND 100000),
     rate_limit int CHECK (rate_limit > 0),
     rate_window_seconds int CHECK (rate_window_seconds > 0),
     rate_burst int CHECK (rate_burst > 0),
     monthly_credits int CHECK (monthly_credits >= 0),
     updated_at timestamptz NOT NULL DEFAULT now()
   )`,
  // What holds for an account: its plan, and what was agreed with it besides.
  `CREATE VIEW effective_plans AS
     SELECT a.id AS account_id, p.name,
       ARRAY(
         SELECT f.feature FROM unnest(p.features || coalesce(o.added_features, '{}')) WITH ORDINALITY AS f (feature, position)
         WHERE f.feature <> ALL (coalesce(o.removed_features, '{}')) GROUP BY f.feature ORDER BY min(f.position)
       ) AS features,
       coalesce(o.bulk_recipients, p.bulk_recipients) AS bulk_recipients,
       coalesce(o.excel_rows, p.excel_rows) AS excel_rows,
       coalesce(o.rate_limit, p.rate_limit) AS rate_limit,
       coalesce(o.rate_window_seconds, p.rate_window_seconds) AS rate_window_seconds,
       coalesce(o.rate_burst, p.rate_burst, o.rate_limit, p.rate_limit) AS rate_burst,
       coalesce(o.monthly_credits, p.monthly_credits) AS monthly_credits
     FROM accounts a JOIN plans p ON p.name = a.plan LEFT JOIN plan_overrides o ON o.account_id = a.id`,
  // A key that replaces another one stays the same API client: one rate limit, one set of Idempotency-Keys. Absent: its
  // own id.
  'ALTER TABLE api_keys ADD COLUMN client_id text',
];

export class AddPlanOverrides1763810000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
