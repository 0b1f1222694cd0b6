import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEX = 'messages_of_group';
const ON = '(account_id, group_id, id) WHERE group_id IS NOT NULL';

/**
 * By which messages of a group are found, and files that are to be removed. Built part by part beside the writers, who
 * would otherwise wait for the whole table; begun again after a crash.
 */
export class IndexMessagesOfGroups1764100000031 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS media_removed');
    await runner.query('CREATE INDEX CONCURRENTLY media_removed ON media (removed_at) WHERE removed_at IS NOT NULL');
    // Partitions of months to come have it from here on.
    await runner.query(`CREATE INDEX IF NOT EXISTS ${INDEX} ON ONLY messages ${ON}`);
    for (const partition of await partitionsWithout(runner, INDEX)) {
      const part = `${partition}_of_group`;
      await runner.query(`DROP INDEX IF EXISTS ${part}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${part} ON ${partition} ${ON}`);
      await runner.query(`ALTER INDEX ${INDEX} ATTACH PARTITION ${part}`);
    }
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

async function partitionsWithout(runner: QueryRunner, index: string): Promise<string[]> {
  const rows = (await runner.query(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits AS part
     WHERE inhparent = 'messages'::regclass AND NOT EXISTS (
       SELECT 1 FROM pg_inherits AS attached JOIN pg_index ON indexrelid = attached.inhrelid
       WHERE attached.inhparent = $1::regclass AND indrelid = part.inhrelid)
     ORDER BY name`,
    [index],
  )) as { name: string }[];
  return rows.map(({ name }) => name);
}
