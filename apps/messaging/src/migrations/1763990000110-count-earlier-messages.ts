import { firstIdAt, MAX_FIGURE_DAYS, timeOfId } from '@switchboard/contracts';
import { countEarlier } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MESSAGE_HOURS } from '../figures/message-hours';

const HOUR_MS = 3_600_000;
/** Nobody sends meanwhile, so it is as short as a count of some hours. */
const STEP_HOURS = 6;

/** Messages of the days that figures show, from before they were counted; begun again after a crash. */
export class CountEarlierMessages1763990000110 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await countEarlier(runner, MESSAGE_HOURS, {
      floor: firstIdAt('msg', Date.now() - (MAX_FIGURE_DAYS + 1) * 24 * HOUR_MS),
      beginOf: (id) => firstIdAt('msg', Number(timeOfId('msg', id) ?? 0) - STEP_HOURS * HOUR_MS),
    });
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
