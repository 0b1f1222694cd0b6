import { createIndexBeside } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Conversations that nobody has taken, and those of one user, done or not, in the order of the list. Contacts who have
 * never written are left out, so that a bulk job changes neither index for most of its recipients.
 */
const INDEXES = {
  conversations_unassigned:
    '(account_id, last_message_id) WHERE assignee_id IS NULL AND NOT done AND last_inbound_at IS NOT NULL',
  conversations_of_assignee: '(account_id, assignee_id, last_message_id) WHERE assignee_id IS NOT NULL',
};

export class IndexAssignees1795900000120 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(INDEXES)) await createIndexBeside(runner, name, `conversations ${on}`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
