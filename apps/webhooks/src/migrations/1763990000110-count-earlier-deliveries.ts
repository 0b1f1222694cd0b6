import { firstIdAt, MAX_FIGURE_DAYS, timeOfId } from '@switchboard/contracts';
import { countEarlier } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DELIVERY_HOURS } from '../figures/delivery-hours';

const HOUR_MS = 3_600_000;
/** No result is written down meanwhile, so it is as short as a count of some hours. */
const STEP_HOURS = 6;

/** Deliveries of the days that figures show, from before they were counted; begun again after a crash. */
export class CountEarlierDeliveries1763990000110 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await countEarlier(runner, DELIVERY_HOURS, {
      floor: firstIdAt('dlv', Date.now() - (MAX_FIGURE_DAYS + 1) * 24 * HOUR_MS),
      beginOf: (id) => firstIdAt('dlv', Number(timeOfId('dlv', id) ?? 0) - STEP_HOURS * HOUR_MS),
    });
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
