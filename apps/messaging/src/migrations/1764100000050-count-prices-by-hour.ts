import { createHourlyTotals } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { PRICE_HOURS } from '../statistics/message-hours';

/** How many messages of each hour the platform charges as what. */
export class CountPricesByHour1764100000050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createHourlyTotals(runner, PRICE_HOURS);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
