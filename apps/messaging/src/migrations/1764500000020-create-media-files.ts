import type { MigrationInterface, QueryRunner } from 'typeorm';

const MEDIA_FILES = `
  -- Files that accounts upload once and send often.
  CREATE TABLE media_files (
    id text COLLATE "C" PRIMARY KEY,
    account_id text NOT NULL,
    -- The type of message that sends the file.
    type text NOT NULL,
    mime_type text NOT NULL,
    bytes bigint NOT NULL CHECK (bytes > 0),
    sha256 text NOT NULL,
    file_name text,
    blob_key text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    -- The retention counts from here: the creation, the last use, or the last time that an unfinished job used the file.
    retained_from timestamptz NOT NULL DEFAULT now(),
    -- The file is not available any more, and its bytes are to be deleted.
    deleted_at timestamptz
  );
  CREATE INDEX media_files_of_account ON media_files (account_id, id);
  CREATE INDEX media_files_retained ON media_files (retained_from) WHERE deleted_at IS NULL;
  CREATE INDEX media_files_deleted ON media_files (deleted_at) WHERE deleted_at IS NOT NULL;
  CREATE INDEX media_files_by_blob ON media_files (blob_key);`;

const UPLOAD_LEASES = `
  -- Uploads to the platform in progress: one process uploads a file for a number, and others wait for its id.
  CREATE TABLE upload_leases (
    number_id text NOT NULL REFERENCES numbers,
    sha256 text NOT NULL,
    mime_type text NOT NULL,
    owner text NOT NULL,
    held_until timestamptz NOT NULL,
    PRIMARY KEY (number_id, sha256, mime_type)
  );`;

export class CreateMediaFiles1764500000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [MEDIA_FILES, UPLOAD_LEASES]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
