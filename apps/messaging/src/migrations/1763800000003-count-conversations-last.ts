import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * New conversations are counted when the transaction ends. Counted one by one they would hold the total while the next
 * conversation is waited for, and somebody may hold that one and wait for the total: two callbacks about new customers
 * ran into a deadlock.
 */
const STATEMENTS = [
  'DROP TRIGGER conversations_counted ON conversations',
  `CREATE CONSTRAINT TRIGGER conversations_counted AFTER INSERT OR DELETE ON conversations DEFERRABLE INITIALLY DEFERRED
   FOR EACH ROW EXECUTE FUNCTION count_row('conversations')`,
];

export class CountConversationsLast1763800000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
