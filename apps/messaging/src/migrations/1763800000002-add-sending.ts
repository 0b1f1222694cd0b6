import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A number whose sends upstream refuses for its credentials or standing sends nothing until somebody resumes it. */
const stopNumbers = 'ALTER TABLE numbers ADD COLUMN stopped_at timestamptz, ADD COLUMN stopped_reason text';

/** Files that upstream has: the same bytes are not handed over twice within the life of its media id. */
const createUploadedMedia = `
  CREATE TABLE uploaded_media (
    number_id text NOT NULL REFERENCES numbers,
    sha256 text NOT NULL,
    mime_type text NOT NULL,
    upstream_media_id text NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (number_id, sha256, mime_type)
  )`;

/** One row: since when the gateways take callbacks without a break, and until when that is known. */
const createCallbackDoor = `
  CREATE TABLE callback_door (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    open_since timestamptz NOT NULL,
    seen_at timestamptz NOT NULL
  )`;

export class AddSending1763800000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [stopNumbers, createUploadedMedia, createCallbackDoor]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE uploaded_media, callback_door');
    await runner.query('ALTER TABLE numbers DROP COLUMN stopped_at, DROP COLUMN stopped_reason');
  }
}
