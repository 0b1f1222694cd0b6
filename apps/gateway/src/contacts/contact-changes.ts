import { Injectable } from '@nestjs/common';
import { ChangeContactCommand, maskPhone, type UpdateContactReply } from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import type { ChangeBy } from '../request-context/console-user';
import { AuditedChanges } from '../audit-log/audited-changes';
import { type Erasing, PersonEraser } from './erase-person';

/** Marketing templates are refused, or everything is. */
export const OPT_OUT_SCOPES = ['marketing', 'everything'] as const;
export type OptOutScope = (typeof OPT_OUT_SCOPES)[number];

export interface ErasureStep {
  phone: string;
  dryRun: boolean;
}

/** A request lasts about so long: whoever erases much asks again. */
const ERASE_FOR_MS = 15_000;

/** Changes of what an account holds about people, each noted with who made it. The audit log names nobody in full. */
@Injectable()
export class ContactChanges {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly changes: AuditedChanges,
    private readonly eraser: PersonEraser,
  ) {}

  /** @param name an empty one takes the account's own name away @throws AppError NOT_FOUND */
  rename(by: ChangeBy, contactId: string, name: string): Promise<UpdateContactReply> {
    const entry = { ...by, action: 'contact.change', target: contactId, details: { name: 'changed' } };
    return this.changes.request(entry, ChangeContactCommand, { contactId, name }, (command) =>
      this.messaging.changeContact(command),
    );
  }

  /** @throws AppError NOT_FOUND */
  optOut(by: ChangeBy, contactId: string, scope: OptOutScope): Promise<UpdateContactReply> {
    const entry = { ...by, action: 'contact.opt-out', target: contactId, details: { scope } };
    const change = { contactId, optedOut: true, ...(scope === 'everything' && { blocked: true }) };
    return this.changes.request(entry, ChangeContactCommand, change, (command) =>
      this.messaging.changeContact(command),
    );
  }

  /**
   * Takes back every refusal of the account's own; what the person told the platform stays.
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
   * Erases a person as the operator's command does, for a while: a caller who is told that it is not done asks again.
   * Counts only on a dry run.
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
