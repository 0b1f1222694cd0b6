import { Injectable } from '@nestjs/common';
import { type NumberUsernameReply, SetNumberUsernameCommand } from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { AuditedChanges } from '../audit-log/audited-changes';
import type { ChangeBy } from '../request-context/console-user';

/** User names of business numbers, for the dashboard and the operator. The audit log has every change. */
@Injectable()
export class NumberUsernames {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly changes: AuditedChanges,
  ) {}

  /** @throws AppError of the platform */
  read(accountId: string, phoneNumber: string): Promise<NumberUsernameReply> {
    return this.messaging.getNumberUsername({ accountId, phoneNumber });
  }

  /**
   * @param username null to delete it
   * @throws AppError INVALID_VALUE for a user name that is malformed or not available, and others of the platform
   */
  change(by: ChangeBy, phoneNumber: string, username: string | null): Promise<NumberUsernameReply> {
    const entry = { ...by, action: 'number.username', target: phoneNumber, details: { username } };
    const fields = { phoneNumber, username };
    return this.changes.request(entry, SetNumberUsernameCommand, fields, (command) =>
      this.messaging.setNumberUsername(command),
    );
  }
}
