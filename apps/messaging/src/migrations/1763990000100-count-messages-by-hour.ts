import { createHourlyTotals } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MESSAGE_HOURS } from '../statistics/message-hours';

/** How many messages there are of each hour and state. */
export class CountMessagesByHour1763990000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createHourlyTotals(runner, MESSAGE_HOURS);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
