import { whenFree } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The internal id of an event's message, beside the upstream platform's, so that attempts can be logged with it. */
export class AddMessageRecordIds1764300000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await whenFree(runner, ['ALTER TABLE events ADD COLUMN record_id text']);
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
