import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The files that drafts show to the reviewers; their bytes are in the blob store. */
export class AddHeaderSamples1764000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE header_samples (
         account_id text NOT NULL,
         id text NOT NULL,
         mime_type text NOT NULL,
         bytes bigint NOT NULL,
         filename text,
         created_at timestamptz NOT NULL DEFAULT now(),
         PRIMARY KEY (account_id, id)
       )`,
    );
    await runner.query('CREATE INDEX header_samples_oldest ON header_samples (created_at)');
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
