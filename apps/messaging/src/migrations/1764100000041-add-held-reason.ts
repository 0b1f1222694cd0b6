import { whenFree } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why the upstream platform held a message back after it took it. No index holds it. */
export class AddHeldReason1764100000041 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await whenFree(runner, ['ALTER TABLE messages ADD COLUMN held_reason text']);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
