import { setTimeout } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';

/** Writers queue behind whoever waits for a lock on the whole table, so a migration waits less long than they may. */
const LOCK_WAIT_MS = 500;
/** Long enough for the queue to be worked off. */
const LOCK_PAUSE_MS = 1_000;
const LOCK_TRIES = 600;
/** What the server says when a lock was not to be had in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs statements that lock a whole table, as soon as nobody has it; they are the last of their transaction. A long
 * delete may have it for a while: others get in between the tries.
 */
export async function whenFree(runner: QueryRunner, statements: readonly string[]): Promise<void> {
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
