import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A person is found by the key that tells them from all others, and then by the account. Of several indexes that begin
 * with the account the server may take any one, when it has statistics of a moment without contacts: it went through
 * all contacts of the account for each recipient of a bulk job.
 */
const INDEXES = [
  { name: 'contacts_by_phone', key: 'phone_key', replaces: 'contacts_one_per_phone' },
  { name: 'contacts_by_user', key: 'user_id', replaces: 'contacts_one_per_user' },
];

/** Built beside the writers; begun again after a crash. */
export class FindPeopleByTheirKeys1764200000021 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const { name, key, replaces } of INDEXES) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(
        `CREATE UNIQUE INDEX CONCURRENTLY ${name} ON contacts (${key}, account_id) WHERE ${key} IS NOT NULL`,
      );
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${replaces}`);
    }
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
