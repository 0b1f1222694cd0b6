import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which answers an endpoint's owner counts as a success, and for how long the service tries. */
export class AddEndpointOptions1763970000430 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE endpoints
        ADD COLUMN accepts_any_2xx boolean NOT NULL DEFAULT false,
        ADD COLUMN has_extended_retries boolean NOT NULL DEFAULT false`);
    // How many attempts there may be the schedules say. The name is the one that PostgreSQL chose while the table
    // before it was still there.
    await runner.query('ALTER TABLE attempts DROP CONSTRAINT attempts_attempt_check1');
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
