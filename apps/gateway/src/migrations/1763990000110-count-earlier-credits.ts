import { MAX_FIGURE_DAYS } from '@switchboard/contracts';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ledger's entries of the days that figures show, from before they were counted. */
export class CountEarlierCredits1763990000110 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `INSERT INTO credit_days AS known (account_id, category, day, kind, amount)
       SELECT account_id, category, (created_at AT TIME ZONE 'UTC')::date, kind, sum(amount) FROM credit_ledger
       WHERE id <= (SELECT id FROM credit_days_begin) AND amount <> 0 AND created_at > now() - make_interval(days => $1)
       GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
       ON CONFLICT (account_id, category, day, kind) DO UPDATE SET amount = known.amount + EXCLUDED.amount`,
      [MAX_FIGURE_DAYS + 1],
    );
    await runner.query('DROP TABLE credit_days_begin');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
