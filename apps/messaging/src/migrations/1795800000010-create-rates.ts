import type { MigrationInterface, QueryRunner } from 'typeorm';

const RATES = `
  -- Rate card of the installation: the price of one delivered message, in one currency.
  CREATE TABLE rates (
    market text COLLATE "C" NOT NULL,
    category text COLLATE "C" NOT NULL,
    valid_from date NOT NULL,
    currency text NOT NULL,
    amount numeric NOT NULL CHECK (amount >= 0),
    source text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (market, category, valid_from)
  )`;

export class CreateRates1795800000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(RATES);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
