import { whenFree } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the upstream platform charges each message. No index holds it, so a status still replaces a row in its page. */
export class AddMessagePricing1763990000123 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await whenFree(runner, ['ALTER TABLE messages ADD COLUMN pricing jsonb']);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
