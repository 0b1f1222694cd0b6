import { whenFree } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // What we know of the block lists that the upstream platform holds, one for each business number.
  `CREATE TABLE blocks (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     account_id text NOT NULL,
     number_id text NOT NULL REFERENCES numbers,
     phone text NOT NULL,
     phone_key text NOT NULL,
     blocked_at timestamptz NOT NULL DEFAULT now(),
     UNIQUE (number_id, phone_key)
   )`,
  'CREATE INDEX blocks_newest ON blocks (account_id, id)',
  'CREATE INDEX blocks_of_person ON blocks (account_id, phone_key)',
  // When the list of a number is to be read anew, and when we last changed it.
  `CREATE TABLE block_reads (
     number_id text PRIMARY KEY REFERENCES numbers,
     account_id text NOT NULL,
     due_at timestamptz NOT NULL,
     changed_at timestamptz NOT NULL DEFAULT '-infinity',
     failures int NOT NULL DEFAULT 0
   )`,
  'CREATE INDEX block_reads_due ON block_reads (due_at)',
];

/** Who is blocked at the upstream platform, as far as we know (ADR 50). */
export class CreateBlocks1764100000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await whenFree(runner, STATEMENTS);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
