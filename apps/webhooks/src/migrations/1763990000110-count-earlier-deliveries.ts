import { MAX_FIGURE_DAYS } from '@switchboard/contracts';
import { countEarlier } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DELIVERY_HOURS } from '../statistics/delivery-hours';

const DAY_MS = 24 * 3_600_000;

/** Deliveries of the days that figures show, from before they were counted; taken up again after a crash. */
export class CountEarlierDeliveries1763990000110 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await countEarlier(runner, DELIVERY_HOURS, new Date(Date.now() - (MAX_FIGURE_DAYS + 1) * DAY_MS));
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
