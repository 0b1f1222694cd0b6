import {
  AppError,
  type CountSecretsReply,
  type ResealSecretsCommand,
  type ResealSecretsReply,
} from '@switchboard/contracts';
import { countSealed, query, resealColumn, type SealedColumn } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { AuditedChanges } from '../audit-log/audited-changes';
import { COUNT_FINGERPRINTS } from '../idempotency/idempotency.queries';
import { secretPlace } from '../users/second-factor';
import type { Console } from '../commands/console';
import type { Operator } from '../commands/operator';

/** Values per batch; one statement writes a batch within the time limit of a command. */
const AT_A_TIME = 200;

/** All columns of the gateway's schema with encrypted values. */
const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'second_factors', column: 'sealed_secret', row: 'user_id', place: secretPlace },
];

/** Service that stores encrypted values, or the gateway itself. */
interface Owner {
  name: string;
  count(): Promise<CountSecretsReply>;
  reseal(step: ResealSecretsCommand): Promise<ResealSecretsReply>;
}

interface Counted {
  service: string;
  column: string;
  current: number;
  previous: number;
  withoutKeyId: number;
  unknown: number;
}

/**
 * Adds the `secrets` commands, which show the encryption key of each stored secret and re-encrypt with the current key.
 */
export function addSecretCommands({ operator, note, command }: Console): void {
  command('secrets', 'status', 'Count the stored secrets by encryption key', {
    options: (verb) => verb,
    run: async () => statusOf(operator, await ownersOf(operator)),
  });
  command('secrets', 'reseal', 'Re-encrypt all stored secrets with ENCRYPTION_KEY; can be interrupted and repeated', {
    options: (verb) => verb,
    run: async () => {
      const owners = await ownersOf(operator);
      await requireOneKey(operator, owners);
      const changes = await operator.get(AuditedChanges);
      const entry = { actor: operator.actor, action: 'secrets.reseal', target: operator.secretBox().keyId };
      const resealed = await changes.make(entry, async (begun) => {
        const tell = (text: string): void => {
          begun();
          note(text);
        };
        let sum = 0;
        for (const owner of owners) sum += await resealAll(owner, tell);
        return sum;
      });
      const status = await statusOf(operator, owners);
      if (status.unknown > 0)
        throw new AppError('INVALID_VALUE', {
          message: `${resealed} sealed anew, ${status.unknown} cannot be opened with the keys that are set; see secrets status`,
        });
      return { resealed, ...status };
    },
  });
}

async function ownersOf(operator: Operator): Promise<Owner[]> {
  const dataSource = await operator.get(DataSource);
  const box = operator.secretBox();
  const gateway: Owner = {
    name: 'gateway',
    count: async () => ({ keyId: box.keyId, columns: await countSealed(dataSource, box, SEALED_COLUMNS) }),
    reseal: (step) => resealColumn(dataSource, box, SEALED_COLUMNS, step),
  };
  const service = (name: 'messaging' | 'templates' | 'webhooks'): Owner => ({
    name,
    count: () => operator[name].countSecrets({}),
    reseal: (step) => operator[name].resealSecrets(step),
  });
  return [gateway, service('messaging'), service('templates'), service('webhooks')];
}

/**
 * Rejects services with different keys, since each would write values that the others cannot decrypt.
 * @throws AppError INVALID_VALUE
 */
async function requireOneKey(operator: Operator, owners: Owner[]): Promise<void> {
  const { keyId } = operator.secretBox();
  for (const owner of owners) {
    const theirs = (await owner.count()).keyId;
    if (theirs !== keyId)
      throw new AppError('INVALID_VALUE', {
        message: `the ${owner.name} service seals with the key ${theirs}, this command with ${keyId}: set ENCRYPTION_KEY alike and restart`,
      });
  }
}

async function resealAll({ name, count, reseal }: Owner, note: (text: string) => void): Promise<number> {
  let sum = 0;
  for (const { column, previous, withoutKeyId } of (await count()).columns) {
    let done = 0;
    let after: string | undefined;
    do {
      const { resealed, next } = await reseal({ column, after, limit: AT_A_TIME });
      done += resealed;
      after = next;
      if (resealed > 0) note(`${name} ${column}: ${done} of ${previous + withoutKeyId}\n`);
    } while (after !== undefined);
    sum += done;
  }
  return sum;
}

/** Counts all stored secrets, and those that no configured key can decrypt. */
export async function countUnreadable(operator: Operator): Promise<{ unknown: number; all: number }> {
  const { secrets } = await statusOf(operator, await ownersOf(operator));
  const sum = (of: (counted: Counted) => number): number => secrets.reduce((total, one) => total + of(one), 0);
  return {
    unknown: sum(({ unknown }) => unknown),
    all: sum(({ current, previous, withoutKeyId, unknown }) => current + previous + withoutKeyId + unknown),
  };
}

/**
 * Counts secrets by key. `waiting`: values that are not yet encrypted with the current key, except fingerprints, which
 * expire within a day.
 */
async function statusOf(
  operator: Operator,
  owners: Owner[],
): Promise<{
  keyId: string;
  waiting: number;
  unknown: number;
  fingerprintsOfOtherKeys: number;
  previousKeyNeeded: boolean;
  secrets: Counted[];
}> {
  const box = operator.secretBox();
  const counted = await Promise.all(
    owners.map(async ({ name, count }) => (await count()).columns.map((counts) => ({ service: name, ...counts }))),
  );
  const secrets: Counted[] = counted.flat();
  const dataSource = await operator.get(DataSource);
  const fingerprints = await query<{ keyId: string; count: number }>(dataSource, COUNT_FINGERPRINTS);
  const fingerprintsOfOtherKeys = fingerprints
    .filter(({ keyId }) => keyId !== box.keyId)
    .reduce((sum, { count }) => sum + count, 0);
  const waiting = secrets.reduce((sum, { previous, withoutKeyId }) => sum + previous + withoutKeyId, 0);
  const unknown = secrets.reduce((sum, counts) => sum + counts.unknown, 0);
  return {
    keyId: box.keyId,
    waiting,
    unknown,
    fingerprintsOfOtherKeys,
    previousKeyNeeded: waiting + unknown + fingerprintsOfOtherKeys > 0,
    secrets,
  };
}
