import { Injectable } from '@nestjs/common';
import { ChangeContactCommand, maskPhone, type UpdateContactReply } from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import type { ChangeBy } from '../request-context/console-user';
import { AuditedChanges } from '../audit-log/audited-changes';
import { type Erasing, PersonEraser } from './erase-person';

/** Scope of an opt-out: marketing templates only, or everything. */
export const OPT_OUT_SCOPES = ['marketing', 'everything'] as const;
export type OptOutScope = (typeof OPT_OUT_SCOPES)[number];

interface OptOutRequest {
  contactId: string;
  /** User who makes the change. */
  userId: string;
  scope: OptOutScope;
}

export interface ErasureStep {
  phone: string;
  dryRun: boolean;
}

/** Time budget of one erase request, in milliseconds. The caller repeats the request until the erasure is complete. */
const ERASE_FOR_MS = 15_000;

/** Changes an account's contacts and records the actor. The audit log contains no full phone number. */
@Injectable()
export class ContactChanges {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly changes: AuditedChanges,
    private readonly eraser: PersonEraser,
  ) {}

  /** @param name new name; empty to remove the name given by the account @throws AppError NOT_FOUND */
  rename(by: ChangeBy, contactId: string, name: string): Promise<UpdateContactReply> {
    const entry = { ...by, action: 'contact.change', target: contactId, details: { name: 'changed' } };
    return this.changes.request(entry, ChangeContactCommand, { contactId, name }, (command) =>
      this.messaging.changeContact(command),
    );
  }

  /** @throws AppError NOT_FOUND */
  optOut(by: ChangeBy, { contactId, userId, scope }: OptOutRequest): Promise<UpdateContactReply> {
    const entry = { ...by, action: 'contact.opt-out', target: contactId, details: { scope } };
    const change = { contactId, userId, optedOut: true, ...(scope === 'everything' && { blocked: true }) };
    return this.changes.request(entry, ChangeContactCommand, change, (command) =>
      this.messaging.changeContact(command),
    );
  }

  /**
   * Removes opt-outs recorded by the account. An opt-out that the contact declared on the platform remains.
   * @throws AppError NOT_FOUND
   */
  optIn(by: ChangeBy, contactId: string): Promise<UpdateContactReply> {
    const entry = { ...by, action: 'contact.opt-in', target: contactId };
    return this.changes.request(
      entry,
      ChangeContactCommand,
      { contactId, optedOut: false, blocked: false },
      (command) => this.messaging.changeContact(command),
    );
  }

  /**
   * Erases a contact within a time budget, like the operator's command. The caller repeats the call until the erasure
   * is complete. A dry run only counts.
   * @throws AppError NOT_FOUND
   */
  erase(by: ChangeBy, { phone, dryRun }: ErasureStep): Promise<Erasing> {
    const until = performance.now() + ERASE_FOR_MS;
    const erase = (begun: () => void): Promise<Erasing> =>
      this.eraser.erase(
        { accountId: by.accountId, phone, dryRun },
        { begun, isTimeOver: () => performance.now() > until, hidesCallbacks: true },
      );
    if (dryRun) return erase(() => undefined);
    return this.changes.make({ ...by, action: 'contact.erase', target: maskPhone(phone) }, erase);
  }
}
