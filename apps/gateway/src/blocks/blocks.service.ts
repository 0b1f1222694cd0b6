import { Injectable } from '@nestjs/common';
import { type BlockAction, ChangeBlockCommand, type ListBlocksReply, maskPhone } from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { AuditedChanges } from '../audit-log/audited-changes';
import type { PageQuery } from '../pagination/page-query';
import type { Caller } from '../request-context/console-user';
import type { BlockAnswer } from './block-bodies';

/** Blocks and unblocks contacts, for the API and the dashboard. Changes by users are recorded in the audit log. */
@Injectable()
export class BlocksService {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly changes: AuditedChanges,
  ) {}

  list(accountId: string, page: PageQuery): Promise<ListBlocksReply> {
    return this.messaging.listBlocks({ accountId, ...page });
  }

  /** @param from business number that blocks the contact; defaults to the primary one */
  async change(
    by: Caller,
    { action, phone, from }: { action: BlockAction; phone: string; from?: string },
  ): Promise<BlockAnswer> {
    // The audit log never contains a contact's full phone number.
    const entry = {
      action: `contact.${action}`,
      target: maskPhone(phone),
      ...(from !== undefined && { details: { from } }),
    };
    const fields = { phone, from, action };
    const changed = await this.changes.requestBy(by, entry, ChangeBlockCommand, fields, (command) =>
      this.messaging.changeBlock(command),
    );
    const { phoneNumber, blockedAt } = changed;
    return { phone: changed.phone, phoneNumber, blocked: blockedAt !== null, blockedAt };
  }
}
