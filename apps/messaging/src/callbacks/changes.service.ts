import { Injectable } from '@nestjs/common';
import { messageDeletedV1, messageEchoedV1, messageEditedV1 } from '@switchboard/contracts';
import { query, type Transaction, Transactions } from '@switchboard/database';
import { counter, Every } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { findOrMakeContacts, withKnownNames } from '../contacts/find-contacts';
import { recordWrittenOptOuts } from '../contacts/opt-outs';
import { Message } from '../messages/message.entity';
import type { NumberOwner } from '../numbers/numbers.queries';
import type { MessageBody } from './inbound-messages';
import { type Changeable, edited, type MessageChange } from './message-changes';
import * as sql from './message-changes.queries';

const counted = counter('messaging_changes_total', 'Edits and deletions of messages: new, repeated', {
  outcome: ['new', 'repeated'],
});

const CLEANUP_EVERY_MS = 3_600_000;
const CLEANUP_BATCH = 1_000;

type OfContact = MessageChange & { contactId: string };
/** Direction of the changed messages: from contacts, or from the business's phone app. */
type Direction = 'inbound' | 'outbound';

/** Applies edits and deletions by contacts, and by the business in its phone app. */
@Injectable()
export class ChangesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Applies new changes and publishes their events in one transaction. Repeated changes have no effect. A change that
   * arrives before its message is stored until the message arrives (`withChanges`).
   * @returns the number of new changes
   */
  async applyChanges(owner: NumberOwner, changes: readonly MessageChange[], direction: Direction): Promise<number> {
    const fresh = await this.transactions.run(async (tx) => {
      // The message may be arriving concurrently. Storing it locks the same contact, so one of the two transactions
      // sees the other's result.
      const contactIds = await findOrMakeContacts(tx, owner.accountId, changes);
      const given = await withKnownNames(
        tx,
        owner.accountId,
        changes.map((change, index) => ({ ...change, contactId: contactIds[index] ?? '' })),
      );
      const news = await recordNew(tx, owner, given, direction);
      await apply(tx, owner, news, direction);
      if (direction === 'inbound') await recordWrittenOptOuts(tx, owner.accountId, news.flatMap(textOfEdit));
      return news.length;
    });
    counted.inc({ outcome: 'new' }, fresh);
    counted.inc({ outcome: 'repeated' }, changes.length - fresh);
    return fresh;
  }

  /** @returns true if there may be more */
  @Every({ name: 'message-changes', everyMs: CLEANUP_EVERY_MS })
  async forgetOld(): Promise<boolean> {
    return (await query(this.dataSource, sql.DELETE_OLD_CHANGES, [CLEANUP_BATCH])).length === CLEANUP_BATCH;
  }
}

async function recordNew(
  tx: Transaction,
  owner: NumberOwner,
  changes: readonly OfContact[],
  direction: Direction,
): Promise<OfContact[]> {
  const lists = sql.CHANGES.parameters(changes, {
    deletes: ({ edit }) => edit === null,
    type: ({ edit }) => edit?.type ?? null,
    content: ({ edit }) => edit?.content,
  });
  const rows = await tx.query<{ upstreamId: string }>(sql.NOTE_CHANGES, [
    owner.accountId,
    owner.id,
    direction,
    ...lists,
  ]);
  const known = new Set(rows.map(({ upstreamId }) => upstreamId));
  // If a callback contains equal changes, the first one counts.
  return changes.filter(({ upstreamId }) => known.delete(upstreamId));
}

/** Applies the effective change of each message if it is new, and publishes the change. */
async function apply(
  tx: Transaction,
  owner: NumberOwner,
  news: readonly OfContact[],
  direction: Direction,
): Promise<void> {
  if (news.length === 0) return;
  const { accountId, id: numberId } = owner;
  const wanted = [
    accountId,
    numberId,
    ...sql.WRITTEN.parameters(news, {
      message: ({ originalId }) => originalId,
      writer: ({ contactId }) => contactId,
    }),
  ];
  const messages = await tx.query<sql.ChangedMessage>(sql.LOCK_CHANGED[direction], wanted);
  const counting = await tx.query<sql.StoredChange>(sql.COUNTING_CHANGES, [...wanted, direction]);
  for (const { upstreamId, originalId } of counting) {
    const change = news.find((each) => each.upstreamId === upstreamId);
    // Skip changes superseded by a later edit or a deletion.
    if (!change) continue;
    const isOfIt = (message: sql.ChangedMessage): boolean =>
      message.upstreamId === originalId && message.writer === change.contactId;
    const message = messages.find(isOfIt);
    const shown = await applyOne(tx, owner, change, message);
    const told = { id: message?.id ?? null, ...change };
    if (direction === 'inbound') publishChange(tx, owner, told, shown);
    else publishEcho(tx, owner, told, shown);
  }
  for (const originalId of new Set(counting.filter(({ deletes }) => deletes).map((each) => each.originalId)))
    await tx.query(sql.FORGET_EDITS, [accountId, numberId, originalId]);
}

/** @returns the message after the change, or null if it was deleted */
async function applyOne(
  tx: Transaction,
  { accountId }: NumberOwner,
  { edit, at }: MessageChange,
  message: sql.ChangedMessage | undefined,
): Promise<Changeable | null> {
  if (edit === null) {
    if (message) {
      await tx.query(sql.DELETE_CONTENT, [accountId, message.id, at]);
      await tx.query(sql.REMOVE_FILE, [accountId, message.id]);
    }
    return null;
  }
  const shown = edited(message, edit);
  if (message) await tx.manager.update(Message, { id: message.id, accountId }, { ...shown, editedAt: new Date(at) });
  return shown;
}

type ToldChange = MessageChange & { id: string | null };

function publishChange(
  tx: Transaction,
  { accountId, phoneNumber: to }: NumberOwner,
  change: ToldChange,
  shown: Changeable | null,
): void {
  const { upstreamId: editId, originalId: upstreamId, sender: from, userId, name, groupId, at: timestamp, id } = change;
  const told = { accountId, to, from, userId, name, timestamp, upstreamId, id, groupId };
  if (shown === null) return tx.publish(messageDeletedV1, told);
  tx.publish(messageEditedV1, { ...told, editId, type: shown.type, content: shown.content });
}

function publishEcho(
  tx: Transaction,
  { accountId, phoneNumber: from }: NumberOwner,
  { upstreamId: changeId, originalId: upstreamId, sender: to, userId, at: timestamp, id }: ToldChange,
  shown: Changeable | null,
): void {
  const action = shown === null ? 'deleted' : 'edited';
  const { type = null, content = null } = shown ?? {};
  const context = null;
  tx.publish(messageEchoedV1, {
    accountId,
    action,
    id,
    upstreamId,
    changeId,
    from,
    to,
    userId,
    type,
    content,
    context,
    timestamp,
  });
}

/** An opt-out keyword also counts in an edit, but not in a group. */
function textOfEdit({ contactId, groupId, edit, at }: OfContact): Parameters<typeof recordWrittenOptOuts>[2][number][] {
  return edit && groupId === null ? [{ contactId, ...edit, at }] : [];
}

/** A message with the changes that arrived before it. */
export interface ChangedBefore<Message> {
  written: Message;
  editedAt: string | null;
  deletedAt: string | null;
}

/** Returns messages with the changes that arrived before them. The caller must have locked their contacts. */
export async function withChanges<Message extends MessageBody & { contactId: string }>(
  tx: Transaction,
  { accountId, id: numberId }: NumberOwner,
  messages: readonly Message[],
  direction: Direction,
): Promise<(Message & ChangedBefore<Message>)[]> {
  const found =
    messages.length > 0
      ? await tx.query<sql.StoredChange>(sql.COUNTING_CHANGES, [
          accountId,
          numberId,
          ...sql.WRITTEN.parameters(messages, {
            message: ({ upstreamId }) => upstreamId,
            writer: ({ contactId }) => contactId,
          }),
          direction,
        ])
      : [];
  const changes = new Map(found.map((change) => [change.originalId, change]));
  return messages.map((message) => {
    const change = changes.get(message.upstreamId);
    const same = { ...message, written: message, editedAt: null, deletedAt: null };
    if (!change) return same;
    const at = change.at.toISOString();
    if (change.deletes) return { ...same, content: null, media: null, reference: null, deletedAt: at };
    const { type, content } = edited(
      { ...message, caption: null },
      { type: change.type ?? message.type, content: change.content },
    );
    return { ...same, type, content, editedAt: at };
  });
}
