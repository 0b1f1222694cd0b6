import type { MigrationInterface, QueryRunner } from 'typeorm';

/** So that the look for fingerprints without a key costs nothing once there are none. */
export class IndexUnkeyedFingerprints1763920000320 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX idempotency_unkeyed ON idempotency (client_id) WHERE octet_length(fingerprint) = 32',
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
