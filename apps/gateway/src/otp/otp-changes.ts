import { Inject, Injectable } from '@nestjs/common';
import { Broker } from '@switchboard/broker';
import { AppError, type OtpSettings, type OtpSettingsChange, setOtpSettingsV1 } from '@switchboard/contracts';
import { AuditedChanges, type RpcClient } from '../audit-log/audited-changes';
import type { ChangeBy } from '../request-context/console-user';

/**
 * Changes of how an account's one-time codes are sent, for its owner and for operators: each is noted with who made it.
 */
@Injectable()
export class OtpChanges {
  constructor(
    @Inject(Broker) private readonly rpc: RpcClient,
    private readonly changes: AuditedChanges,
  ) {}

  /**
   * What is not given stays; null brings the default back.
   * @throws AppError MISSING_FIELD, INVALID_VALUE, TEMPLATE_NOT_FOUND, TEMPLATE_NOT_APPROVED, TEMPLATE_PARAMS_MISMATCH
   */
  async change(by: ChangeBy, { template, countries, sendsPerPrefix }: OtpSettingsChange): Promise<OtpSettings> {
    const details = { template, countries, sendsPerPrefix };
    if (Object.values(details).every((value) => value === undefined))
      throw new AppError('MISSING_FIELD', { message: 'give at least one field to change' });
    const note = { action: 'otp.change-settings', target: by.accountId, details };
    const { settings } = await this.changes.request(this.rpc, { ...by, ...note }, setOtpSettingsV1, details);
    return settings;
  }
}
