import { whenFree } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a number's business may use the platform's endpoint for marketing, and whether its account wants it. */
export class AddMarketingEndpoint1764100000052 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await whenFree(runner, [
      'ALTER TABLE numbers ADD COLUMN marketing_onboarding text',
      'ALTER TABLE account_settings ADD COLUMN marketing_endpoint boolean NOT NULL DEFAULT false',
    ]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
