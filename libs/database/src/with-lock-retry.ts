import { setTimeout } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';

/**
 * Lock timeout of the migration. It is shorter than that of the writers, which queue behind the request for the table
 * lock.
 */
const LOCK_WAIT_MS = 500;
/** Pause between attempts, long enough for queued writers to finish. */
const LOCK_PAUSE_MS = 1_000;
const LOCK_TRIES = 600;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs statements that lock a whole table, and retries until no other transaction blocks them. They must be the last
 * ones of their transaction. A long delete may hold the table for a while, and writers proceed between the attempts.
 */
export async function withLockRetry(runner: QueryRunner, statements: readonly string[]): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    await runner.query('SAVEPOINT unlocked');
    try {
      await runner.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
      for (const sql of statements) await runner.query(sql);
      return;
    } catch (error) {
      await runner.query('ROLLBACK TO SAVEPOINT unlocked');
      if (tried === LOCK_TRIES || (error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
      await setTimeout(LOCK_PAUSE_MS);
    }
  }
}
