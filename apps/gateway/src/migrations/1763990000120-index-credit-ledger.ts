import { createIndexBeside } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ledger in the order in which it is listed, whole and by the kind of its entries. */
const INDEXES = {
  credit_ledger_newest: '(account_id, created_at, id)',
  credit_ledger_of_kind: '(account_id, kind, created_at, id)',
};

/** Taken up again after a crash. */
export class IndexCreditLedger1763990000120 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(INDEXES)) await createIndexBeside(runner, name, `credit_ledger ${on}`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
