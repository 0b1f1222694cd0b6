import { Injectable } from '@nestjs/common';
import { AppError, type OtpSettings, type OtpSettingsChange, SetOtpSettingsCommand } from '@switchboard/contracts';
import { OtpClient } from '@switchboard/service-clients';
import { AuditedChanges } from '../audit-log/audited-changes';
import type { ChangeBy } from '../request-context/console-user';

/**
 * Changes an account's one-time code settings, for its owner or an operator. Each change is recorded with its actor.
 */
@Injectable()
export class OtpChanges {
  constructor(
    private readonly otp: OtpClient,
    private readonly changes: AuditedChanges,
  ) {}

  /**
   * Changes settings. Absent fields stay unchanged; null restores the default.
   * @throws AppError MISSING_FIELD, INVALID_VALUE, TEMPLATE_NOT_FOUND, TEMPLATE_NOT_APPROVED, TEMPLATE_PARAMS_MISMATCH
   */
  async change(by: ChangeBy, { template, countries, sendsPerPrefix }: OtpSettingsChange): Promise<OtpSettings> {
    const details = { template, countries, sendsPerPrefix };
    if (Object.values(details).every((value) => value === undefined))
      throw new AppError('MISSING_FIELD', { message: 'give at least one field to change' });
    const note = { action: 'otp.change-settings', target: by.accountId, details };
    const { settings } = await this.changes.request({ ...by, ...note }, SetOtpSettingsCommand, details, (command) =>
      this.otp.setSettings(command),
    );
    return settings;
  }
}
