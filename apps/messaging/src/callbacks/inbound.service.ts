import { Injectable } from '@nestjs/common';
import { callReceivedV1, messageReceivedV1 } from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import { counter } from '@switchboard/platform';
import { findOrMakeContacts, withKnownNames } from '../contacts/find-contacts';
import { followCustomers } from '../contacts/identity-changes';
import { recordUpstreamOptOuts, recordWrittenOptOuts } from '../contacts/opt-outs';
import type { NumberOwner } from '../numbers/numbers.queries';
import { findStoredApp } from './app-messages.queries';
import { type ChangedBefore, ChangesService, withChanges } from './changes.service';
import type { Echo } from './echoes';
import { EchoesService } from './echoes.service';
import { expectMedia } from './expect-media';
import { findStored, findUndated, type Identified, identify, withoutRepeated } from './inbound-ids';
import { CALL_TYPE, captionOf, type InboundMessage } from './inbound-messages';
import type { MessageChange } from './message-changes';
import { INBOUND, STORE_INBOUND } from './inbound.queries';
import { orAgain, OvertakenError } from './overtaken';
import type { UpstreamOptOut } from './user-preferences';

const counted = counter('messaging_inbound_total', 'Inbound messages: stored, repeated', {
  outcome: ['stored', 'repeated'],
});

type Stored = Identified & ChangedBefore<Identified>;

/** Stores messages from contacts. */
@Injectable()
export class InboundService {
  constructor(
    private readonly transactions: Transactions,
    private readonly changes: ChangesService,
    private readonly echoes: EchoesService,
  ) {}

  /**
   * Stores new messages and everything derived from them in one transaction: contacts, windows, opt-outs, media to
   * fetch and events.
   * @param arrivedAt time at which upstream reported the messages
   * @returns the ids of the new messages, and the number of opt-outs and opt-ins among them
   */
  async storeMessages(
    owner: NumberOwner,
    messages: readonly InboundMessage[],
    arrivedAt: Date,
  ): Promise<{ stored: string[]; optOuts: number }> {
    const { stored, optOuts } = await orAgain(() => this.storeOnce(owner, messages, arrivedAt));
    counted.inc({ outcome: 'stored' }, stored.length);
    counted.inc({ outcome: 'repeated' }, messages.length - stored.length);
    return { stored, optOuts };
  }

  /**
   * Applies edits and deletions.
   * @returns the number of new ones
   */
  applyChanges(owner: NumberOwner, changes: readonly MessageChange[]): Promise<number> {
    return this.changes.applyChanges(owner, changes, 'inbound');
  }

  /**
   * Applies messages and changes from the business's phone app. Messages precede their edits and deletions.
   * @param arrivedAt time at which upstream reported them
   * @returns the number of new messages and changes
   */
  async applyEchoes(
    owner: NumberOwner,
    { echoes, changes }: { echoes: readonly Echo[]; changes: readonly MessageChange[] },
    arrivedAt: Date,
  ): Promise<{ echoed: number; changedEchoes: number }> {
    return {
      echoed: echoes.length > 0 ? await this.echoes.storeEchoes(owner, echoes, arrivedAt) : 0,
      changedEchoes: changes.length > 0 ? await this.changes.applyChanges(owner, changes, 'outbound') : 0,
    };
  }

  /** Records opt-outs and opt-ins that contacts made on the upstream platform. Creates missing contacts. */
  async recordOptOuts({ accountId }: NumberOwner, optOuts: readonly UpstreamOptOut[]): Promise<void> {
    await this.transactions.run(async (tx) => {
      const contactIds = await findOrMakeContacts(tx, accountId, optOuts);
      await recordUpstreamOptOuts(
        tx,
        accountId,
        optOuts.map(({ refuses, at }, index) => ({ contactId: contactIds[index] ?? '', refuses, at })),
      );
    });
  }

  private storeOnce(
    owner: NumberOwner,
    messages: readonly InboundMessage[],
    arrivedAt: Date,
  ): Promise<{ stored: string[]; optOuts: number }> {
    return this.transactions.run(async (tx) => {
      const stored = await insertNew(tx, owner, messages, arrivedAt);
      await expectMedia(tx, owner, stored);
      // Ignore keywords in groups. Those in deleted messages count.
      const written = stored.filter(({ groupId }) => groupId === null).map((message) => message.written);
      const optOuts = await recordWrittenOptOuts(tx, owner.accountId, written);
      for (const message of stored) publish(tx, owner, message);
      // Must be last, because it moves data of the contacts.
      await followCustomers(
        tx,
        owner,
        stored.filter(({ type }) => type === 'system'),
      );
      return { stored: stored.map(({ id }) => id), optOuts };
    });
  }
}

/**
 * Inserts the new messages and returns them in the callback's order. Finds contacts only for new messages, because a
 * contact may have changed its number since a stored one. Concurrent reports of a message lock the same contact, so the
 * second check sees the row of the other transaction.
 */
async function insertNew(
  tx: Transaction,
  owner: NumberOwner,
  messages: readonly InboundMessage[],
  arrivedAt: Date,
): Promise<Stored[]> {
  const given = withoutRepeated(messages);
  const stored = await findKnown(tx, owner, given);
  const unknown = given.filter(({ upstreamId }) => !stored.has(upstreamId));
  if (unknown.length === 0) return [];
  const contactIds = await findOrMakeContacts(tx, owner.accountId, unknown);
  const found = await withKnownNames(
    tx,
    owner.accountId,
    unknown.map((message, index) => ({ ...message, contactId: contactIds[index] ?? '' })),
  );
  if ((await findKnown(tx, owner, found)).size > 0) throw new OvertakenError();
  const undated = await findUndated(tx, owner, found);
  const identified = identify(
    owner,
    found.filter(({ upstreamId }) => !undated.has(upstreamId)),
    arrivedAt,
  );
  const fresh = await withChanges(tx, owner, identified, 'inbound');
  if ((await insertRows(tx, owner, fresh)) < fresh.length) throw new OvertakenError();
  return fresh;
}

/** Also searches the history of the phone app, which may contain a message with a different time. */
async function findKnown(
  tx: Transaction,
  owner: NumberOwner,
  messages: readonly InboundMessage[],
): Promise<Set<string>> {
  const stored = await findStored(tx, owner, messages);
  if (!owner.hasHistory) return stored;
  const ids = messages.map(({ upstreamId }) => upstreamId);
  return new Set([...stored, ...(await findStoredApp(tx, owner, 'inbound', ids))]);
}

async function insertRows(tx: Transaction, owner: NumberOwner, fresh: readonly Stored[]): Promise<number> {
  const { accountId, id: numberId, phoneNumber } = owner;
  const messages = INBOUND.parameters(fresh, {
    profileName: ({ name }) => name,
    receivedAt: ({ at }) => at,
    contactId: ({ contactId, groupId }) => (groupId === null ? contactId : null),
    caption: ({ content, media }) => (media ? captionOf(content) : null),
    mediaId: ({ media }) => media?.id ?? null,
    authorId: ({ contactId, groupId }) => (groupId === null ? null : contactId),
  });
  const rows = await tx.query(STORE_INBOUND, [accountId, numberId, phoneNumber, ...messages]);
  return rows.length;
}

/** If a message was deleted before it arrived, only its deletion is published. */
function publish(tx: Transaction, { accountId, phoneNumber: to }: NumberOwner, message: Stored): void {
  const {
    id,
    upstreamId,
    sender: from,
    userId,
    name,
    username,
    parentUserId,
    type,
    content,
    reference,
    groupId,
    at,
  } = message;
  if (message.deletedAt !== null) return;
  if (type === CALL_TYPE)
    return tx.publish(callReceivedV1, { accountId, id, upstreamId, to, from, userId, name, timestamp: at });
  const { context = null, referral = null, errors = null } = reference ?? {};
  tx.publish(messageReceivedV1, {
    accountId,
    id,
    upstreamId,
    to,
    from,
    userId,
    name,
    username,
    ...(parentUserId !== null && { parentUserId }),
    type,
    content,
    context,
    referral,
    errors,
    ...(groupId !== null && { groupId }),
    timestamp: at,
  });
}
