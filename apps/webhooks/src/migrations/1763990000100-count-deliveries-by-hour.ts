import { createHourlyTotals } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DELIVERY_HOURS } from '../statistics/delivery-hours';

/** How many deliveries of each hour were delivered and dropped. */
export class CountDeliveriesByHour1763990000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createHourlyTotals(runner, DELIVERY_HOURS);
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
