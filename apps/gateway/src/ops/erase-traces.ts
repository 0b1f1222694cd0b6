import { isPhone, maskPhone } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { DELETE_CALLBACKS_NAMING } from '../callbacks/callbacks.queries';
import { COUNT_ANSWERS_NAMING, MASK_ANSWERS_NAMING } from '../idempotency/idempotency.queries';

/** Bodies may be 3 MB each. */
const CALLBACKS_PER_STEP = 500;

/** Whom to forget. */
interface Person {
  accountId: string;
  /** Every name they are known by: phones, and what the upstream platform calls them. */
  names: string[];
  dryRun: boolean;
}

/**
 * Removes the upstream platform's callbacks that name the person, as they came. They belong to no account, since one may report
 * on several; all that they brought is with its owner since they were stored.
 * @param tell hears how many have gone after each step
 * @returns how many went, or would go
 */
export async function eraseCallbacks(db: DataSource, { names, dryRun }: Person, tell: (soFar: number) => void): Promise<number> {
  let erased = 0;
  for (let after: string | null = ''; after !== null; ) {
    const [page]: { callbacks: number; lastId: string | null }[] = await query(db, DELETE_CALLBACKS_NAMING, [names, after, CALLBACKS_PER_STEP, dryRun]);
    after = page?.lastId ?? null;
    erased += page?.callbacks ?? 0;
    if (page?.callbacks) tell(erased);
  }
  return erased;
}

/** Masks the person's phones in the answers that the account's Idempotency-Keys are kept with. @returns in how many */
export async function maskAnswers(db: DataSource, { accountId, names, dryRun }: Person): Promise<number> {
  let masked = 0;
  for (const phone of names.filter(isPhone)) {
    if (dryRun) masked += (await query<{ answers: number }>(db, COUNT_ANSWERS_NAMING, [accountId, phone]))[0]?.answers ?? 0;
    else masked += (await query(db, MASK_ANSWERS_NAMING, [accountId, phone, maskPhone(phone)])).length;
  }
  return masked;
}
