import type { OtpSettings } from '@switchboard/contracts';
import { preparedQuery, query } from '@switchboard/database';
import type { DataSource } from 'typeorm';

/** Most sends within an hour to one prefix, unless the account has chosen another number. */
export const DEFAULT_SENDS_PER_PREFIX = 100;

/** SQL: most sends of the account to a prefix. $1 account */
export const SENDS_PER_PREFIX = `coalesce((SELECT sends_per_prefix FROM account_settings WHERE account_id = $1), ${DEFAULT_SENDS_PER_PREFIX})`;

const SETTINGS = `
  CASE WHEN template_name IS NOT NULL THEN jsonb_build_object('name', template_name, 'language', template_language)
    END AS template,
  countries, coalesce(sends_per_prefix, ${DEFAULT_SENDS_PER_PREFIX}) AS "sendsPerPrefix"`;

/** $1 account. No row: it has never chosen any. */
export const FIND_SETTINGS = `SELECT ${SETTINGS} FROM account_settings WHERE account_id = $1`;

const DEFAULTS: OtpSettings = { template: null, countries: null, sendsPerPrefix: DEFAULT_SENDS_PER_PREFIX };

export async function findSettings(dataSource: DataSource, accountId: string): Promise<OtpSettings> {
  return settingsOr(await preparedQuery<OtpSettings>(dataSource, FIND_SETTINGS, [accountId]));
}

/** The row's, or the defaults. */
export function settingsOr([settings]: OtpSettings[]): OtpSettings {
  return settings ?? DEFAULTS;
}

/**
 * Changes the fields that the second parameter names. $1 account, $2 names, $3 template's name, $4 its language, $5
 * countries, $6 sends
 */
const SET_SETTINGS = `
  INSERT INTO account_settings AS s (account_id, template_name, template_language, countries, sends_per_prefix)
    VALUES ($1, $3, $4, $5, $6)
  ON CONFLICT (account_id) DO UPDATE SET
    template_name = CASE WHEN 'template' = ANY ($2::text[]) THEN excluded.template_name ELSE s.template_name END,
    template_language = CASE WHEN 'template' = ANY ($2::text[]) THEN excluded.template_language
      ELSE s.template_language END,
    countries = CASE WHEN 'countries' = ANY ($2::text[]) THEN excluded.countries ELSE s.countries END,
    sends_per_prefix = CASE WHEN 'sendsPerPrefix' = ANY ($2::text[]) THEN excluded.sends_per_prefix
      ELSE s.sends_per_prefix END,
    updated_at = now()
  RETURNING ${SETTINGS}`;

/** What is undefined stays; null brings the default back. */
export type SettingsChange = { [Name in keyof OtpSettings]?: OtpSettings[Name] | null };

export async function changeSettings(
  dataSource: DataSource,
  accountId: string,
  change: SettingsChange,
): Promise<OtpSettings> {
  const given = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const { template, countries, sendsPerPrefix } = change;
  const params = [
    accountId,
    given,
    template?.name ?? null,
    template?.language ?? null,
    countries ?? null,
    sendsPerPrefix ?? null,
  ];
  return settingsOr(await query<OtpSettings>(dataSource, SET_SETTINGS, params));
}
