import { whenFree } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `traceparent` of the span that sent a message, for links to it; null when no collector received that span. */
export class AddSendTrace1764300000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await whenFree(runner, ['ALTER TABLE messages ADD COLUMN send_trace text']);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
