import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The names by which a customer looks a message up: their own reference, and the upstream's identifier of an inbound
 * message.
 */
const INDEXES = [
  { suffix: 'by_client_ref', on: '(account_id, client_ref, id) WHERE client_ref IS NOT NULL' },
  { suffix: 'by_inbound_id', on: "(upstream_id) WHERE direction = 'inbound'" },
];

/** Built part by part beside the writers, who would otherwise wait for the whole table; begun again after a crash. */
export class IndexMessageNames1763960000170 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const { suffix, on } of INDEXES) {
      const whole = `messages_${suffix}`;
      // Partitions of months to come have it from here on.
      await runner.query(`CREATE INDEX IF NOT EXISTS ${whole} ON ONLY messages ${on}`);
      for (const partition of await partitionsWithout(runner, whole)) {
        const part = `${partition}_${suffix}`;
        await runner.query(`DROP INDEX IF EXISTS ${part}`);
        await runner.query(`CREATE INDEX CONCURRENTLY ${part} ON ${partition} ${on}`);
        await runner.query(`ALTER INDEX ${whole} ATTACH PARTITION ${part}`);
      }
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
