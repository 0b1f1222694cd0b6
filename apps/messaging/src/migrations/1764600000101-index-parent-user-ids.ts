import { createIndexBeside } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds contacts by the user id that several businesses share. Not unique: each business has its own contact. */
export class IndexParentUserIds1764600000101 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexBeside(
      runner,
      'contacts_by_parent',
      // The key before the account, as in `contacts_by_phone`.
      'contacts (parent_user_id, account_id, id) WHERE parent_user_id IS NOT NULL',
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
