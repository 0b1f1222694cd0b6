import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { InjectRepository } from '@nestjs/typeorm';
import { CommandHandler } from '@switchboard/broker';
import {
  type AccountSettings,
  type AccountSettingsReply,
  GetAccountSettingsCommand,
  getAccountSettingsV1,
  SetAccountSettingsCommand,
  setAccountSettingsV1,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { DataSource, Repository } from 'typeorm';
import { AccountSettings as AccountSettingsEntity } from './account-settings.entity';

const SETTINGS = `
  window_policy AS "windowPolicy", opt_out_words AS "optOutWords", opt_in_words AS "optInWords", message_days AS "messageDays", media_days AS "mediaDays",
  marketing_endpoint AS "marketingEndpoint"`;

/** $1 account */
export const FIND_SETTINGS = `SELECT ${SETTINGS} FROM account_settings WHERE account_id = $1`;

const DEFAULTS: AccountSettings = {
  windowPolicy: 'enforce',
  optOutWords: null,
  optInWords: null,
  messageDays: null,
  mediaDays: null,
  marketingEndpoint: false,
};

@Controller()
export class SettingsController {
  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(AccountSettingsEntity) private readonly settings: Repository<AccountSettingsEntity>,
  ) {}

  @CommandHandler(getAccountSettingsV1)
  async getSettings(@Payload() { accountId }: GetAccountSettingsCommand): Promise<AccountSettingsReply> {
    const [settings] = await query<AccountSettings>(this.dataSource, FIND_SETTINGS, [accountId]);
    return { settings: settings ?? DEFAULTS };
  }

  @CommandHandler(setAccountSettingsV1)
  async setSettings(@Payload() command: SetAccountSettingsCommand): Promise<AccountSettingsReply> {
    const { windowPolicy, marketingEndpoint, ...others } = command;
    // Undefined leaves a setting unchanged; null restores the default.
    const changed = {
      ...others,
      windowPolicy: windowPolicy === null ? DEFAULTS.windowPolicy : windowPolicy,
      marketingEndpoint: marketingEndpoint === null ? DEFAULTS.marketingEndpoint : marketingEndpoint,
    };
    await this.settings.upsert(changed, ['accountId']);
    return this.getSettings({ accountId: command.accountId });
  }
}
