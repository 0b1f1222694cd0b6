import { Injectable } from '@nestjs/common';
import { type MarkReadCommand, MESSAGE_NAME, notFound, type ReceiptAnswer } from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { AuditedChanges } from '../audit-log/audited-changes';
import type { Caller } from '../request-context/console-user';

/**
 * Sends read receipts and typing indicators, for the API and the dashboard. Those sent by users are recorded in the
 * audit log.
 */
@Injectable()
export class ReceiptsService {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly changes: AuditedChanges,
  ) {}

  /** Marks an inbound message as read or shows its sender a typing indicator. @throws AppError NOT_FOUND */
  async markRead({ accountId, actor }: Caller, receipt: Omit<MarkReadCommand, 'accountId'>): Promise<ReceiptAnswer> {
    const mark = () => this.mark({ ...receipt, accountId });
    if (actor === undefined) return mark();
    return this.changes.make({ accountId, actor, action: 'message.read', target: receipt.id }, mark);
  }

  private async mark(command: MarkReadCommand): Promise<ReceiptAnswer> {
    if (!MESSAGE_NAME.test(command.id)) throw notFound('message');
    const { id, upstreamId, readAt } = await this.messaging.markRead(command);
    return { id, message_id: upstreamId, readAt };
  }
}
