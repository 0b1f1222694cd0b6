import { whenFree } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `CREATE TABLE credit_days (
     account_id text NOT NULL REFERENCES accounts (id),
     category text NOT NULL,
     day date NOT NULL,
     kind text NOT NULL,
     amount bigint NOT NULL,
     PRIMARY KEY (account_id, category, day, kind)
   )`,
  `CREATE FUNCTION count_credits() RETURNS trigger LANGUAGE plpgsql
   SET search_path FROM CURRENT AS $$
   BEGIN
     INSERT INTO credit_days AS known (account_id, category, day, kind, amount)
     VALUES (NEW.account_id, NEW.category, (NEW.created_at AT TIME ZONE 'UTC')::date, NEW.kind, NEW.amount)
     ON CONFLICT (account_id, category, day, kind) DO UPDATE SET amount = known.amount + EXCLUDED.amount;
     RETURN NULL;
   END $$`,
  // At the end of the transaction, which then holds the account's balance: nobody waits for a day and has another one.
  `CREATE CONSTRAINT TRIGGER credits_counted AFTER INSERT ON credit_ledger DEFERRABLE INITIALLY DEFERRED
   FOR EACH ROW WHEN (NEW.amount <> 0) EXECUTE FUNCTION count_credits()`,
  // What was there before: its rows never change, so it is counted afterwards, beside the writers.
  'CREATE TABLE credit_days_begin (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), id bigint NOT NULL)',
  'INSERT INTO credit_days_begin (id) SELECT coalesce(max(id), 0) FROM credit_ledger',
];

/** How many credits an account was given, set aside and got back on each day, kept by the database itself. */
export class CountCreditsByDay1763990000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await whenFree(runner, STATEMENTS);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
