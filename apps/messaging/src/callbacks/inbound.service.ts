import { Injectable } from '@nestjs/common';
import { fetchMediaV1, messageReceivedV1 } from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import { counter } from '@switchboard/platform';
import { findOrMakeContacts } from '../contacts/find-contacts';
import { followCustomers } from '../contacts/identity-changes';
import { noteUpstreamWishes, noteWrittenWishes } from '../contacts/wishes';
import { INSERT_MEDIA } from '../media/media.queries';
import { inboundMessageId } from '../messages/message-id';
import type { NumberOwner } from '../numbers/numbers.queries';
import type { InboundMessage } from './inbound-messages';
import { FIND_STORED, FIND_UNDATED, LOCK_UNDATED, STORE_INBOUND } from './inbound.queries';
import type { UpstreamWish } from './preferences';

const counted = counter('messaging_inbound_total', 'Inbound messages: stored, repeated', ['outcome']);

type Identified = InboundMessage & { id: string };
type Stored = Identified & { contactId: string };

/**
 * Another process stored some of the same messages between our look and our insert. The contacts found before may be wrong by
 * now, for a customer may have moved to another number with those messages; so everything begins again.
 */
class OvertakenError extends Error {}

/** Takes in what customers wrote. */
@Injectable()
export class InboundService {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Stores what is new, with all that follows from it, in one transaction: contacts, the window, wishes, media to fetch, events.
   * @returns how many messages were new, and how many of them asked for marketing to stop or to go on
   */
  async storeMessages(owner: NumberOwner, messages: readonly InboundMessage[]): Promise<{ stored: number; wishes: number }> {
    const { stored, wishes } = await this.storeOnce(owner, messages).catch((error: unknown) => {
      if (!(error instanceof OvertakenError)) throw error;
      return this.storeOnce(owner, messages);
    });
    counted.inc({ outcome: 'stored' }, stored);
    counted.inc({ outcome: 'repeated' }, messages.length - stored);
    return { stored, wishes };
  }

  /** Notes what customers told the upstream platform about marketing; who is not known yet becomes a contact. */
  async noteWishes({ accountId }: NumberOwner, wishes: readonly UpstreamWish[]): Promise<void> {
    await this.transactions.run(async (tx) => {
      const contactIds = await findOrMakeContacts(tx, accountId, wishes);
      await noteUpstreamWishes(tx, accountId, wishes.map(({ refuses, at }, index) => ({ contactId: contactIds[index] ?? '', refuses, at })));
    });
  }

  private storeOnce(owner: NumberOwner, messages: readonly InboundMessage[]): Promise<{ stored: number; wishes: number }> {
    return this.transactions.run(async (tx) => {
      const stored = await insertNew(tx, owner, messages);
      await insertMedia(tx, owner, stored);
      await followCustomers(tx, owner.accountId, stored.filter(({ type }) => type === 'system'));
      for (const message of stored) publish(tx, owner, message);
      return { stored: stored.length, wishes: await noteWrittenWishes(tx, owner.accountId, stored) };
    });
  }
}

/** The messages that were not stored before, in the order of the callback. Who wrote nothing new is not looked for: he may have moved on. */
async function insertNew(tx: Transaction, owner: NumberOwner, messages: readonly InboundMessage[]): Promise<Stored[]> {
  const unknown = await withoutStored(tx, owner, messages);
  if (unknown.length === 0) return [];
  const contactIds = await findOrMakeContacts(tx, owner.accountId, unknown);
  const found = unknown.map((message, index) => ({ ...message, contactId: contactIds[index] ?? '' }));
  const fresh = await withoutStoredUndated(tx, owner, found);
  const rows = await tx.query<{ id: string }>(STORE_INBOUND, [
    owner.accountId,
    owner.id,
    owner.phoneNumber,
    fresh.map(({ id }) => id),
    fresh.map(({ upstreamId }) => upstreamId),
    fresh.map(({ sender }) => sender),
    fresh.map(({ name }) => name),
    fresh.map(({ type }) => type),
    fresh.map(({ content }) => content && JSON.stringify(content)),
    fresh.map(({ at }) => at),
    fresh.map(({ contactId }) => contactId),
    fresh.map(({ content, media }) => (media ? captionOf(content) : null)),
    fresh.map(({ media }) => media?.id ?? null),
    fresh.map(({ reference }) => reference && JSON.stringify(reference)),
  ]);
  if (rows.length < fresh.length) throw new OvertakenError('some messages were stored meanwhile');
  return fresh;
}

/** Of two equal messages in one callback the first one counts. */
async function withoutStored(tx: Transaction, { accountId, id: numberId }: NumberOwner, messages: readonly InboundMessage[]): Promise<Identified[]> {
  const byUpstreamId = new Map<string, Identified>();
  for (const message of messages) {
    const id = inboundMessageId({ numberId, upstreamId: message.upstreamId, at: new Date(message.at) });
    if (!byUpstreamId.has(message.upstreamId)) byUpstreamId.set(message.upstreamId, { ...message, id });
  }
  const identified = [...byUpstreamId.values()];
  const rows = await tx.query<{ id: string }>(FIND_STORED, [accountId, identified.map(({ id }) => id)]);
  const known = new Set(rows.map(({ id }) => id));
  return identified.filter(({ id }) => !known.has(id));
}

async function withoutStoredUndated(tx: Transaction, { accountId }: NumberOwner, messages: readonly Stored[]): Promise<Stored[]> {
  const undated = messages.filter(({ isDated }) => !isDated);
  if (undated.length === 0) return [...messages];
  const upstreamIds = undated.map(({ upstreamId }) => upstreamId);
  await tx.query(LOCK_UNDATED, [upstreamIds]);
  const rows = await tx.query<{ upstreamId: string }>(FIND_UNDATED, [accountId, undated.map(({ contactId }) => contactId), upstreamIds]);
  const known = new Set(rows.map(({ upstreamId }) => upstreamId));
  return messages.filter(({ upstreamId }) => !known.has(upstreamId));
}

/** The files are fetched when the messages are stored for good; a task reminds of each. */
async function insertMedia(tx: Transaction, { accountId, id: numberId }: NumberOwner, messages: readonly Stored[]): Promise<void> {
  const files = messages.flatMap(({ id, media }) => (media ? [{ ...media, messageId: id }] : []));
  if (files.length === 0) return;
  await tx.query(INSERT_MEDIA, [
    accountId,
    numberId,
    files.map(({ id }) => id),
    files.map(({ messageId }) => messageId),
    files.map(({ upstreamId }) => upstreamId),
    files.map(({ mimeType }) => mimeType),
    files.map(({ sha256 }) => sha256),
    files.map(({ filename }) => filename),
    files.map(({ id }) => `inbound/${accountId}/${id}`),
    files.map(({ error }) => error),
  ]);
  for (const { id, error } of files) if (error === null) tx.enqueue(fetchMediaV1, { accountId, mediaId: id });
}

function publish(tx: Transaction, { accountId, phoneNumber }: NumberOwner, message: Stored): void {
  const { id, upstreamId, sender, userId, name, type, content, reference, at } = message;
  const { context = null, referral = null, errors = null } = reference ?? {};
  tx.publish(messageReceivedV1, { accountId, id, upstreamId, to: phoneNumber, from: sender, userId, name, type, content, context, referral, errors, timestamp: at });
}

function captionOf(content: object | null): string | null {
  const { caption } = (content ?? {}) as { caption?: unknown };
  return typeof caption === 'string' ? caption : null;
}
