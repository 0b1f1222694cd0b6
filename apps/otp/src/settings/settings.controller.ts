import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  GetOtpSettingsCommand,
  getOtpSettingsV1,
  type OtpSettingsReply,
  SetOtpSettingsCommand,
  setOtpSettingsV1,
} from '@switchboard/contracts';
import { SettingsService } from './settings.service';

@Controller()
export class SettingsController {
  constructor(private readonly settings: SettingsService) {}

  @CommandHandler(getOtpSettingsV1)
  async getSettings(@Payload() { accountId }: GetOtpSettingsCommand): Promise<OtpSettingsReply> {
    return { settings: await this.settings.settingsOf(accountId) };
  }

  @CommandHandler(setOtpSettingsV1)
  async setSettings(@Payload() command: SetOtpSettingsCommand): Promise<OtpSettingsReply> {
    return { settings: await this.settings.change(command) };
  }
}
