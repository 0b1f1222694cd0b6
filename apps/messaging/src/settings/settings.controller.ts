import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { HandlesCommand } from '@switchboard/broker';
import {
  type AccountSettings,
  type AccountSettingsReply,
  GetAccountSettingsCommand,
  getAccountSettingsV1,
  SetAccountSettingsCommand,
  setAccountSettingsV1,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { DataSource } from 'typeorm';

const SETTINGS = `
  window_policy AS "windowPolicy", opt_out_words AS "optOutWords", opt_in_words AS "optInWords", message_days AS "messageDays", media_days AS "mediaDays",
  marketing_endpoint AS "marketingEndpoint"`;

/** $1 account */
export const FIND_SETTINGS = `SELECT ${SETTINGS} FROM account_settings WHERE account_id = $1`;

/**
 * Changes the fields that the second parameter names; a null brings the default back. $1 account, $2 names of columns,
 * $3 window policy, $4 opt-out words, $5 opt-in words, $6 message days, $7 media days, $8 whether marketing
 * goes through the platform's endpoint for it
 */
const SET_SETTINGS = `
  INSERT INTO account_settings AS known (account_id, window_policy, opt_out_words, opt_in_words, message_days,
    media_days, marketing_endpoint)
  VALUES ($1, COALESCE($3, 'enforce'), $4::text[], $5::text[], $6, $7, COALESCE($8, false))
  ON CONFLICT (account_id) DO UPDATE
  SET window_policy = CASE WHEN 'windowPolicy' = ANY ($2::text[]) THEN EXCLUDED.window_policy ELSE known.window_policy
    END,
      opt_out_words = CASE WHEN 'optOutWords' = ANY ($2::text[]) THEN EXCLUDED.opt_out_words ELSE known.opt_out_words
        END,
      opt_in_words = CASE WHEN 'optInWords' = ANY ($2::text[]) THEN EXCLUDED.opt_in_words ELSE known.opt_in_words END,
      message_days = CASE WHEN 'messageDays' = ANY ($2::text[]) THEN EXCLUDED.message_days ELSE known.message_days END,
      media_days = CASE WHEN 'mediaDays' = ANY ($2::text[]) THEN EXCLUDED.media_days ELSE known.media_days END,
      marketing_endpoint = CASE WHEN 'marketingEndpoint' = ANY ($2::text[]) THEN EXCLUDED.marketing_endpoint
        ELSE known.marketing_endpoint END,
      updated_at = now()
  RETURNING ${SETTINGS}`;

const DEFAULTS: AccountSettings = {
  windowPolicy: 'enforce',
  optOutWords: null,
  optInWords: null,
  messageDays: null,
  mediaDays: null,
  marketingEndpoint: false,
};

/** What an account may choose for itself. */
@Controller()
export class SettingsController {
  constructor(private readonly dataSource: DataSource) {}

  @HandlesCommand(getAccountSettingsV1)
  async getSettings(@Payload() { accountId }: GetAccountSettingsCommand): Promise<AccountSettingsReply> {
    const [settings] = await query<AccountSettings>(this.dataSource, FIND_SETTINGS, [accountId]);
    return { settings: settings ?? DEFAULTS };
  }

  @HandlesCommand(setAccountSettingsV1)
  async setSettings(@Payload() command: SetAccountSettingsCommand): Promise<AccountSettingsReply> {
    const { accountId, windowPolicy, optOutWords, optInWords, messageDays, mediaDays, marketingEndpoint } = command;
    const changes = { windowPolicy, optOutWords, optInWords, messageDays, mediaDays, marketingEndpoint };
    const given = Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    const params = [accountId, given, ...Object.values(changes).map((value) => value ?? null)];
    const [settings] = await query<AccountSettings>(this.dataSource, SET_SETTINGS, params);
    return { settings: settings ?? DEFAULTS };
  }
}
