import { createIndexBeside } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the recipients of a region that have not been released, in order. Contains only jobs with quiet hours. */
export class IndexWaitingRecipients1795900000061 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexBeside(runner, 'recipients_waiting', 'recipients (job_id, region, position) WHERE is_waiting');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
