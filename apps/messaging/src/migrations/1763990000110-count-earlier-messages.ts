import { MAX_FIGURE_DAYS } from '@switchboard/contracts';
import { countEarlier } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MESSAGE_HOURS } from '../statistics/message-hours';

const DAY_MS = 24 * 3_600_000;

/** Messages of the days that figures show, from before they were counted; taken up again after a crash. */
export class CountEarlierMessages1763990000110 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await countEarlier(runner, MESSAGE_HOURS, new Date(Date.now() - (MAX_FIGURE_DAYS + 1) * DAY_MS));
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
