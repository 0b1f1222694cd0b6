import type { MigrationInterface, QueryRunner } from 'typeorm';

const JOB_MEDIA = `
  -- Uploaded files that jobs use: messaging retains them until the jobs have ended.
  CREATE TABLE job_media (
    account_id text NOT NULL,
    job_id text NOT NULL,
    media_id text NOT NULL,
    PRIMARY KEY (account_id, job_id, media_id)
  );
  CREATE INDEX job_media_by_file ON job_media (account_id, media_id);`;

export class CreateJobMedia1764200000860 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(JOB_MEDIA);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
