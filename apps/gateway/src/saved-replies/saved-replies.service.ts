import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { AppError, notFound } from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import type { Repository } from 'typeorm';
import { recordAudit } from '../audit-log/audit-log';
import { withinDatabaseDeadline } from '../http/database-deadline';
import type { ChangeBy } from '../request-context/console-user';
import { nameKeyOf, nameTaken, requireKnownVariables, requireReplyName } from './saved-reply-rules';
import { SavedReply } from './saved-reply.entity';

const MOST_REPLIES = 200;
/** Serialises the changes of an account, so that names stay unique and the number limited. $1 account */
const LOCK_REPLIES = "SELECT pg_advisory_xact_lock(hashtext('gateway.saved-replies'), hashtext($1))";

/** Fields of a saved reply. */
export interface ReplyFields {
  name: string;
  text: string;
}

/** Manages the saved replies of accounts. */
@Injectable()
export class SavedRepliesService {
  constructor(
    @InjectRepository(SavedReply) private readonly replies: Repository<SavedReply>,
    private readonly transactions: Transactions,
  ) {}

  /** Lists all saved replies of an account by name. */
  list(accountId: string): Promise<SavedReply[]> {
    return withinDatabaseDeadline(
      this.replies.find({ where: { accountId }, order: { nameKey: 'ASC' }, take: MOST_REPLIES }),
    );
  }

  /**
   * Creates a saved reply. A repeat with the same id changes nothing.
   * @throws AppError INVALID_VALUE for a name that is taken or not allowed, an unknown variable, or too many replies
   */
  create(by: ChangeBy, id: string, { name: given, text }: ReplyFields): Promise<SavedReply> {
    const name = requireReplyName(given);
    requireKnownVariables(text);
    const { accountId } = by;
    return this.transactions.run(async (tx) => {
      await tx.query(LOCK_REPLIES, [accountId]);
      const stored = await tx.manager.findOneBy(SavedReply, { accountId, id });
      if (stored) return stored;
      await requireFreeName(tx, { accountId, id, name });
      if ((await tx.manager.countBy(SavedReply, { accountId })) >= MOST_REPLIES)
        throw new AppError('INVALID_VALUE', {
          message: `the account has ${MOST_REPLIES} saved replies: delete one first`,
        });
      await tx.manager.insert(SavedReply, { id, accountId, name, nameKey: nameKeyOf(name), text });
      await recordAudit(tx, { ...by, action: 'saved-reply.create', target: id, details: { name } });
      return tx.manager.findOneByOrFail(SavedReply, { accountId, id });
    });
  }

  /**
   * Changes a saved reply. Absent fields stay unchanged.
   * @throws AppError MISSING_FIELD, NOT_FOUND, INVALID_VALUE as for `create`
   */
  change(by: ChangeBy, id: string, fields: Partial<ReplyFields>): Promise<SavedReply> {
    // A body may have null for an absent field.
    const [given, text] = [fields.name ?? undefined, fields.text ?? undefined];
    if (given === undefined && text === undefined)
      throw new AppError('MISSING_FIELD', { message: 'give name or text' });
    const name = given === undefined ? undefined : requireReplyName(given);
    if (text !== undefined) requireKnownVariables(text);
    const { accountId } = by;
    return this.transactions.run(async (tx) => {
      await tx.query(LOCK_REPLIES, [accountId]);
      if (!(await tx.manager.existsBy(SavedReply, { accountId, id }))) throw notFound('saved reply');
      if (name !== undefined) await requireFreeName(tx, { accountId, id, name });
      const renamed = name !== undefined && { name, nameKey: nameKeyOf(name) };
      await tx.manager.update(SavedReply, { accountId, id }, { ...renamed, ...(text !== undefined && { text }) });
      await recordAudit(tx, { ...by, action: 'saved-reply.change', target: id, details: { name } });
      return tx.manager.findOneByOrFail(SavedReply, { accountId, id });
    });
  }

  /** @throws AppError NOT_FOUND */
  delete(by: ChangeBy, id: string): Promise<void> {
    const { accountId } = by;
    return this.transactions.run(async (tx) => {
      await tx.query(LOCK_REPLIES, [accountId]);
      const reply = await tx.manager.findOneBy(SavedReply, { accountId, id });
      if (!reply) throw notFound('saved reply');
      await tx.manager.delete(SavedReply, { accountId, id });
      await recordAudit(tx, { ...by, action: 'saved-reply.delete', target: id, details: { name: reply.name } });
    });
  }
}

/** @throws AppError INVALID_VALUE if another saved reply of the account has the name */
async function requireFreeName(
  tx: Transaction,
  { accountId, id, name }: { accountId: string; id: string; name: string },
): Promise<void> {
  const holder = await tx.manager.findOneBy(SavedReply, { accountId, nameKey: nameKeyOf(name) });
  if (holder && holder.id !== id) throw nameTaken(holder.name);
}
