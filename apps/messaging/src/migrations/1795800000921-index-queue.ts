import { createIndexBeside } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One index per view of the queue, in the order of its list. */
const INDEXES = {
  conversations_waiting: '(account_id, waiting_id) WHERE waiting_id IS NOT NULL',
  conversations_unread: '(account_id, last_message_id) WHERE unread_count > 0',
  conversations_done: '(account_id, last_message_id) WHERE done',
  conversations_assigned: '(account_id, assignee_id, done, last_message_id) WHERE assignee_id IS NOT NULL',
};

export class IndexQueue1795800000921 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(INDEXES)) await createIndexBeside(runner, name, `conversations ${on}`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
