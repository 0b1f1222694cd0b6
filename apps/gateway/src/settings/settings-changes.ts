import { Injectable } from '@nestjs/common';
import {
  type AccountSettings,
  AppError,
  type EventRetentionReply,
  parseBody,
  SetAccountSettingsCommand,
  SetEventRetentionCommand,
} from '@switchboard/contracts';
import { MessagingClient, WebhooksClient } from '@switchboard/service-clients';
import type { ChangeBy } from '../request-context/console-user';
import { AuditedChanges } from '../audit-log/audited-changes';

/** Change to settings. Absent fields stay unchanged; null restores the default. */
export type SettingsChange = Pick<
  SetAccountSettingsCommand,
  'windowPolicy' | 'optOutWords' | 'optInWords' | 'marketingEndpoint'
>;

/**
 * Change to retention periods. Absent fields stay unchanged. Null retains data forever; for events, as long as the
 * installation's log.
 */
export interface RetentionChange {
  messageDays?: number | null;
  mediaDays?: number | null;
  eventDays?: number | null;
}

/** Settings and retention periods of an account. */
export interface SettingsOfAccount {
  settings: AccountSettings;
  events: EventRetentionReply;
}

/** Changes an account's settings, for its users or operators. Each change is recorded with its actor. */
@Injectable()
export class SettingsChanges {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly webhooks: WebhooksClient,
    private readonly changes: AuditedChanges,
  ) {}

  async show(accountId: string): Promise<SettingsOfAccount> {
    const [{ settings }, events] = await Promise.all([
      this.messaging.getAccountSettings({ accountId }),
      this.eventRetention(accountId),
    ]);
    return { settings, events };
  }

  /** Returns the retention of webhook events, which is stored by the webhooks service. */
  eventRetention(accountId: string): Promise<EventRetentionReply> {
    return this.webhooks.getEventRetention({ accountId });
  }

  /** @throws AppError MISSING_FIELD for an empty change, INVALID_VALUE, TEXT_TOO_LONG */
  async change(by: ChangeBy, change: SettingsChange): Promise<AccountSettings> {
    const { windowPolicy, optOutWords, optInWords, marketingEndpoint } = change;
    const details = { windowPolicy, optOutWords, optInWords, marketingEndpoint };
    requireAny(details);
    const note = { action: 'settings.set', target: by.accountId, details };
    const { settings } = await this.changes.request({ ...by, ...note }, SetAccountSettingsCommand, details, (command) =>
      this.messaging.setAccountSettings(command),
    );
    return settings;
  }

  /**
   * @throws AppError MISSING_FIELD for an empty change; INVALID_VALUE; OUTCOME_UNKNOWN if messaging made its part of
   * the change but the webhooks service failed
   */
  async changeRetention(
    by: ChangeBy,
    { messageDays, mediaDays, eventDays }: RetentionChange,
  ): Promise<SettingsOfAccount> {
    const { accountId } = by;
    const kept = { messageDays, mediaDays };
    requireAny({ ...kept, eventDays });
    // Validates both parts before changing either.
    const request = parseBody(SetAccountSettingsCommand, { accountId, ...kept });
    const eventRequest =
      eventDays === undefined ? undefined : parseBody(SetEventRetentionCommand, { accountId, eventDays });
    const entry = { ...by, action: 'retention.set', target: accountId, details: { ...kept, eventDays } };
    return this.changes.make(entry, async (begun) => {
      if (!eventRequest) {
        // Read before the change, since a failure afterwards would look like a rejected change.
        const events = await this.eventRetention(accountId);
        return { settings: (await this.messaging.setAccountSettings(request)).settings, events };
      }
      const { settings } = await this.messaging.setAccountSettings(request);
      begun();
      return { settings, events: await this.webhooks.setEventRetention(eventRequest) };
    });
  }
}

function requireAny(details: object): void {
  if (Object.values(details).every((value) => value === undefined))
    throw new AppError('MISSING_FIELD', { message: 'give at least one field to change' });
}
