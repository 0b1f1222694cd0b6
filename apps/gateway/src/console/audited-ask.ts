import { type CommandContract, parseBody } from '@switchboard/contracts';
import type { Transactions } from '@switchboard/database';
import { recordAudit } from '../accounts/audit-log';
import type { ChangeBy } from './console-user';

/** Who asks services: a broker, or the operator. */
export interface Asker {
  ask<Request extends object, Response extends object>(command: CommandContract<Request, Response>, request: Request): Promise<Response>;
}

/** What a change is noted as. Details hold no secret and no text of messages. */
export interface AuditNote {
  action: string;
  target: string;
  details?: Record<string, unknown>;
}

/** Asks another service for a change of an account's things, which is noted with who wants it. */
export async function auditedAsk<Request extends { accountId: string }, Response extends object>(
  { asker, transactions }: { asker: Asker; transactions: Transactions },
  { accountId, actor, ...note }: ChangeBy & AuditNote,
  command: CommandContract<Request, Response>,
  request: Omit<Request, 'accountId'>,
): Promise<Response> {
  const asked = parseBody(command.request, { ...request, accountId });
  // Written first: the other service's change must not stand without an entry, whatever happens to us in between.
  await transactions.run((tx) => recordAudit(tx, { actor, accountId, ...note }));
  return asker.ask(command, asked);
}
