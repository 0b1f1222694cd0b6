import { createIndexBeside } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the jobs whose estimate is due. */
export class IndexDueEstimates1764200000906 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexBeside(runner, 'jobs_estimate_due', 'jobs (estimate_after) WHERE estimate_after IS NOT NULL');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
