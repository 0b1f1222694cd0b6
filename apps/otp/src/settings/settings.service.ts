import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  AppError,
  normaliseLanguage,
  type OtpSettings,
  type SetOtpSettingsCommand,
  type TemplateRecord,
} from '@switchboard/contracts';
import { TemplateCache } from '@switchboard/template-cache';
import { DataSource, Repository } from 'typeorm';
import { AccountSettings } from './account-settings.entity';
import { isCountry } from './country';
import { fillOtpTemplate } from './otp-template';
import { findSettings } from './settings.queries';

/** Sample values to check that a template can carry a code. */
const SAMPLE_CODE = { code: '000000', minutes: 10 };

@Injectable()
export class SettingsService {
  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(AccountSettings) private readonly settings: Repository<AccountSettings>,
    private readonly templates: TemplateCache,
  ) {}

  settingsOf(accountId: string): Promise<OtpSettings> {
    return findSettings(this.dataSource, accountId);
  }

  /**
   * @throws AppError TEMPLATE_NOT_FOUND, TEMPLATE_NOT_APPROVED, TEMPLATE_PARAMS_MISMATCH, INVALID_VALUE; MISSING_FIELD
   * when nothing is given
   */
  async change({ accountId, template, countries, sendsPerPrefix }: SetOtpSettingsCommand): Promise<OtpSettings> {
    if (template === undefined && countries === undefined && sendsPerPrefix === undefined)
      throw new AppError('MISSING_FIELD', { message: 'give at least one field to change' });
    const unknown = countries?.find((code) => !isCountry(code));
    if (unknown !== undefined)
      throw new AppError('INVALID_VALUE', { message: `invalid value: ${unknown} is not an ISO country code` });
    if (template) fillOtpTemplate(await this.templateOf(accountId, template), SAMPLE_CODE);
    const chosen = template !== undefined && {
      templateName: template?.name ?? null,
      templateLanguage: template ? normaliseLanguage(template.language) : null,
    };
    // Undefined keeps the stored value; null restores the default.
    await this.settings.upsert({ accountId, ...chosen, countries, sendsPerPrefix }, ['accountId']);
    return this.settingsOf(accountId);
  }

  /** @throws AppError TEMPLATE_NOT_FOUND */
  async templateOf(accountId: string, { name, language }: { name: string; language: string }): Promise<TemplateRecord> {
    const key = { accountId, name, language };
    const template = await this.templates.find(key);
    if (!template) throw await this.templates.missing(key);
    return template;
  }
}
