import { createIndexBeside } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds recipients that returned to one number of a job, beside any number of those that returned to others. */
export class IndexReturnedByNumber1764200000916 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexBeside(
      runner,
      'recipients_returned_by_number',
      'recipients (job_id, business_number, position) WHERE is_returned',
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
