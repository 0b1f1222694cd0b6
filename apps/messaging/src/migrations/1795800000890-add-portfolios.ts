import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Portfolio that owns the number's WABA; its numbers share a messaging limit. Null until the platform reports it. */
const PORTFOLIOS = 'ALTER TABLE numbers ADD COLUMN portfolio_id text';

export class AddPortfolios1795800000890 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await withLockRetry(runner, [PORTFOLIOS]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
