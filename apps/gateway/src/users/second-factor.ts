import type { Transaction } from '@switchboard/database';
import type { SecretBox, SecretPlace } from '@switchboard/platform';
import { IsNull } from 'typeorm';
import { RecoveryCode } from './recovery-code.entity';
import { newRecoveryCodes, recoveryHash } from './recovery-codes';
import { SecondFactor } from './second-factor.entity';
import { stepOfCode } from './totp';

/** How the second factor was verified. */
export type Proof = 'totp' | 'recovery code';

export interface FactorOwner {
  userId: string;
  accountId: string;
}

interface FactorRow {
  sealedSecret: string;
  isConfirmed: boolean;
  lastStep: string;
  nowMs: string;
}

/** Locks the second factor, so that concurrent codes are verified one after another. */
const LOCK_FACTOR = `
  SELECT sealed_secret AS "sealedSecret", confirmed_at IS NOT NULL AS "isConfirmed", last_step AS "lastStep",
         floor(extract(epoch FROM clock_timestamp()) * 1000) AS "nowMs"
  FROM second_factors WHERE user_id = $1 AND account_id = $2 FOR UPDATE`;
const TOTP_CODE = /^[0-9]{3} ?[0-9]{3}$/;

/** Returns the location to which the encryption of a user's secret is bound. */
export const secretPlace = (userId: string): SecretPlace => ({
  table: 'second_factors',
  column: 'sealed_secret',
  row: userId,
});

/**
 * Consumes a code of a user's second factor. Each code is valid once, even under concurrency. The consumption commits
 * or rolls back with the transaction.
 * @param options.unconfirmed true to verify the code that confirms a pending factor, which has no recovery codes
 * @returns undefined if the code is wrong or has been used, or if there is no such factor
 */
export async function useCode(
  tx: Transaction,
  box: SecretBox,
  { userId, accountId }: FactorOwner,
  { code, unconfirmed = false }: { code: string; unconfirmed?: boolean },
): Promise<Proof | undefined> {
  const [factor] = await tx.query<FactorRow>(LOCK_FACTOR, [userId, accountId]);
  if (!factor || factor.isConfirmed === unconfirmed) return undefined;
  const secret = box.open(factor.sealedSecret, secretPlace(userId));
  const typed = code.trim();
  if (TOTP_CODE.test(typed)) {
    const step = stepOfCode(secret, typed.replace(' ', ''), Number(factor.nowMs));
    // Accepts only codes later than the last one, so that an observed code is useless.
    if (step === undefined || step <= Number(factor.lastStep)) return undefined;
    await tx.manager.update(SecondFactor, { userId, accountId }, { lastStep: String(step) });
    return 'totp';
  }
  if (unconfirmed) return undefined;
  const { affected } = await tx.manager.update(
    RecoveryCode,
    { userId, accountId, codeHmac: recoveryHash(secret, typed), usedAt: IsNull() },
    { usedAt: () => 'now()' },
  );
  return affected ? 'recovery code' : undefined;
}

/** Replaces all recovery codes of a user. @returns the codes, which are never stored in clear */
export async function replaceRecoveryCodes(
  tx: Transaction,
  box: SecretBox,
  { userId, accountId }: FactorOwner,
): Promise<string[]> {
  const [factor] = await tx.query<FactorRow>(LOCK_FACTOR, [userId, accountId]);
  if (!factor) throw new Error('recovery codes belong to a second factor, and there is none');
  const secret = box.open(factor.sealedSecret, secretPlace(userId));
  const codes = newRecoveryCodes();
  await tx.manager.delete(RecoveryCode, { userId, accountId });
  const rows = codes.map((code) => ({ userId, accountId, codeHmac: recoveryHash(secret, code) }));
  await tx.manager.insert(RecoveryCode, rows);
  return codes;
}
