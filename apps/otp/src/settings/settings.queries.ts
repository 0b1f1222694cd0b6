import type { OtpSettings } from '@switchboard/contracts';
import { preparedQuery } from '@switchboard/database';
import type { DataSource } from 'typeorm';

/** Default maximum of sends to one prefix per hour. */
export const DEFAULT_SENDS_PER_PREFIX = 100;

/** SQL expression: maximum sends of the account to a prefix. $1 account */
export const SENDS_PER_PREFIX = `coalesce((SELECT sends_per_prefix FROM account_settings WHERE account_id = $1), ${DEFAULT_SENDS_PER_PREFIX})`;

const SETTINGS = `
  CASE WHEN template_name IS NOT NULL THEN jsonb_build_object('name', template_name, 'language', template_language)
    END AS template,
  countries, coalesce(sends_per_prefix, ${DEFAULT_SENDS_PER_PREFIX}) AS "sendsPerPrefix"`;

/** $1 account. Returns no row when the account has never changed its settings. */
export const FIND_SETTINGS = `SELECT ${SETTINGS} FROM account_settings WHERE account_id = $1`;

const DEFAULTS: OtpSettings = { template: null, countries: null, sendsPerPrefix: DEFAULT_SENDS_PER_PREFIX };

export async function findSettings(dataSource: DataSource, accountId: string): Promise<OtpSettings> {
  return settingsOr(await preparedQuery<OtpSettings>(dataSource, FIND_SETTINGS, [accountId]));
}

export function settingsOr([settings]: OtpSettings[]): OtpSettings {
  return settings ?? DEFAULTS;
}
