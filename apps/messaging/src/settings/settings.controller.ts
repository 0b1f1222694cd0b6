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
import { FIND_SETTINGS, SET_SETTINGS } from './settings.queries';

const DEFAULTS: AccountSettings = {
  windowPolicy: 'enforce',
  optOutWords: null,
  optInWords: null,
  messageDays: null,
  mediaDays: null,
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
    const { accountId, windowPolicy, optOutWords, optInWords, messageDays, mediaDays } = command;
    const changes = { windowPolicy, optOutWords, optInWords, messageDays, mediaDays };
    const given = Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    const params = [accountId, given, ...Object.values(changes).map((value) => value ?? null)];
    const [settings] = await query<AccountSettings>(this.dataSource, SET_SETTINGS, params);
    return { settings: settings ?? DEFAULTS };
  }
}
