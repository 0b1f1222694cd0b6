import { Injectable } from '@nestjs/common';
import {
  AppError,
  ChangeLabelCommand,
  CreateLabelCommand,
  DeleteLabelCommand,
  type DeleteLabelReply,
  type LabelColour,
  LabelContactCommand,
  type LabelContactReply,
  type LabelRecord,
  type LabelReply,
  newId,
  notFound,
} from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { AuditedChanges } from '../audit-log/audited-changes';
import type { ChangeBy } from '../request-context/console-user';

export interface LabelledContact {
  contactId: string;
  labelId: string;
  isLabelled: boolean;
}

/** Changes labels and puts them on contacts. Records the actor. */
@Injectable()
export class LabelChanges {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly changes: AuditedChanges,
  ) {}

  /** @throws AppError INVALID_VALUE for a name in use, or too many labels */
  create(by: ChangeBy, label: { name: string; colour: LabelColour }): Promise<LabelReply> {
    const labelId = newId('lbl');
    const entry = { ...by, action: 'label.create', target: labelId, details: label };
    return this.changes.request(entry, CreateLabelCommand, { labelId, ...label }, (command) =>
      this.messaging.createLabel(command),
    );
  }

  /** @throws AppError MISSING_FIELD, NOT_FOUND, INVALID_VALUE for a name in use */
  change(by: ChangeBy, labelId: string, change: { name?: string; colour?: LabelColour }): Promise<LabelReply> {
    // A body may have null for an absent field.
    const [name, colour] = [change.name ?? undefined, change.colour ?? undefined];
    if (name === undefined && colour === undefined)
      throw new AppError('MISSING_FIELD', { message: 'give name or colour' });
    const entry = { ...by, action: 'label.change', target: labelId, details: { name, colour } };
    return this.changes.request(entry, ChangeLabelCommand, { labelId, name, colour }, (command) =>
      this.messaging.changeLabel(command),
    );
  }

  /** Records the name, which cannot be looked up afterwards. @throws AppError NOT_FOUND */
  async remove(by: ChangeBy, labelId: string): Promise<DeleteLabelReply> {
    const label = await this.find(by.accountId, labelId);
    const details = { name: label.name, contacts: label.contacts.total };
    const entry = { ...by, action: 'label.delete', target: labelId, details };
    return this.changes.request(entry, DeleteLabelCommand, { labelId }, (command) =>
      this.messaging.deleteLabel(command),
    );
  }

  /**
   * Records the id of the label only, because the entry outlives an erased contact.
   * @throws AppError NOT_FOUND for an unknown contact or label
   */
  putOn(by: ChangeBy, { contactId, labelId, isLabelled }: LabelledContact): Promise<LabelContactReply> {
    const action = isLabelled ? 'contact.add-label' : 'contact.remove-label';
    const entry = { ...by, action, target: contactId, details: { labelId } };
    return this.changes.request(entry, LabelContactCommand, { contactId, labelId, isLabelled }, (command) =>
      this.messaging.labelContact(command),
    );
  }

  /** @throws AppError NOT_FOUND */
  private async find(accountId: string, labelId: string): Promise<LabelRecord> {
    const { labels } = await this.messaging.listLabels({ accountId });
    const label = labels.find(({ id }) => id === labelId);
    if (!label) throw notFound('label');
    return label;
  }
}
