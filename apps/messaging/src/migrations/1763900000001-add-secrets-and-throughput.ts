import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The real content of a message with a secret, sealed, for as long as it may have to be sent again; its `content` is
 * masked from the first write. The rule is checked for what is written from now on: older rows have no secret, and
 * reading them all would take long.
 */
const keepSecretsUntilSettled = [
  'ALTER TABLE messages ADD COLUMN sealed_content text',
  `ALTER TABLE messages ADD CONSTRAINT messages_secret_gone CHECK (sealed_content IS NULL OR state IN ('sending', 'unknown')) NOT VALID`,
];

/** STANDARD or HIGH, as upstream names it; null until it was read. */
const keepThroughput = 'ALTER TABLE numbers ADD COLUMN throughput_level text';

export class AddSecretsAndThroughput1763900000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [...keepSecretsUntilSettled, keepThroughput]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
