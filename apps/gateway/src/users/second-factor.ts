import type { Transaction } from '@switchboard/database';
import type { SecretBox, SecretPlace } from '@switchboard/platform';
import { IsNull } from 'typeorm';
import { RecoveryCode } from './recovery-code.entity';
import { newRecoveryCodes, recoveryHash } from './recovery-codes';
import { SecondFactor } from './second-factor.entity';
import { stepOfCode } from './totp';

/** By what somebody has shown that they hold the second factor. */
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

/** The lock makes codes that come at the same moment wait for each other. */
const LOCK_FACTOR = `
  SELECT sealed_secret AS "sealedSecret", confirmed_at IS NOT NULL AS "isConfirmed", last_step AS "lastStep",
         floor(extract(epoch FROM clock_timestamp()) * 1000) AS "nowMs"
  FROM second_factors WHERE user_id = $1 AND account_id = $2 FOR UPDATE`;
const TOTP_CODE = /^[0-9]{3} ?[0-9]{3}$/;

/** Where a user's secret is sealed. */
export const secretPlace = (userId: string): SecretPlace => ({
  table: 'second_factors',
  column: 'sealed_secret',
  row: userId,
});

/**
 * Takes a code of a user's second factor; each is good once, also when it comes twice at the same moment. What becomes
 * of it stands with the transaction.
 * @param options.unconfirmed takes the code that confirms a factor instead; recovery codes are none of that
 * @returns undefined when the code is wrong, was used before, or there is no such factor
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
    // Later codes only: who looks over somebody's shoulder comes too late.
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

/** Gives a user new recovery codes in place of all they had. @returns the codes, which are kept nowhere in clear */
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
