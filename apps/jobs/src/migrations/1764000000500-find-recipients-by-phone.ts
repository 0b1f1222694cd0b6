import { createIndexBeside } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where a person stands in one job, among all jobs that the person is in. It serves what `recipients_phone` served, and
 * takes its place: a recipient costs as many indexes as before. Taken up again after a crash.
 */
export class FindRecipientsByPhone1764000000500 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexBeside(runner, 'recipients_by_phone', 'recipients (account_id, phone, job_id)');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS recipients_phone');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
