import { createIndexBeside } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the counts of certain jobs. */
export class IndexUsageOfJobs1795800000901 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexBeside(runner, 'usage_days_by_job', "usage_days (account_id, job_id) WHERE job_id <> ''");
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
