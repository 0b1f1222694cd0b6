import type { MigrationInterface, QueryRunner } from 'typeorm';

const TEMPLATE_SAMPLES = `
  -- Samples that templates were submitted with. The card is -1 for the template's own header.
  CREATE TABLE template_samples (
    account_id text NOT NULL,
    template_id text NOT NULL,
    card int NOT NULL,
    sample_id text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, template_id, card)
  );
  CREATE INDEX template_samples_sample ON template_samples (account_id, sample_id);
  CREATE INDEX template_samples_oldest ON template_samples (created_at);`;

export class CreateTemplateSamples1795900000070 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TEMPLATE_SAMPLES);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
