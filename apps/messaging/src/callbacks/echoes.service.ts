import { Injectable } from '@nestjs/common';
import { messageEchoedV1 } from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import { counter } from '@switchboard/platform';
import { findOrMakeContacts } from '../contacts/find-contacts';
import type { NumberOwner } from '../numbers/numbers.queries';
import { type AppMessage, findStoredApp, storeAppMessages } from './app-messages.queries';
import { withChanges } from './changes.service';
import type { Echo } from './echoes';
import { expectMedia } from './expect-media';
import { identify, withoutRepeated } from './inbound-ids';
import { orAgain, OvertakenError } from './overtaken';

const counted = counter('messaging_echoes_total', "Messages of the business's phone app: stored, repeated", {
  outcome: ['stored', 'repeated'],
});

type OfContact = Echo & { contactId: string };

/** Stores messages that the business sent from its phone app. */
@Injectable()
export class EchoesService {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Stores new messages with their media to fetch and their events, in one transaction. An echo is part of the
   * conversation but opens no window.
   * @param arrivedAt time at which upstream reported the messages
   * @returns the number of new messages
   */
  async storeEchoes(owner: NumberOwner, echoes: readonly Echo[], arrivedAt: Date): Promise<number> {
    const stored = await orAgain(() => this.transactions.run((tx) => storeNew(tx, owner, echoes, arrivedAt)));
    counted.inc({ outcome: 'stored' }, stored);
    counted.inc({ outcome: 'repeated' }, echoes.length - stored);
    return stored;
  }
}

/**
 * Finds contacts only for new messages, because a contact may have changed its number since a stored one. Concurrent
 * reports of a message lock the same contact, so the second check sees the row of the other transaction.
 */
async function storeNew(
  tx: Transaction,
  owner: NumberOwner,
  echoes: readonly Echo[],
  arrivedAt: Date,
): Promise<number> {
  const given = withoutRepeated(echoes);
  const stored = await storedOf(tx, owner, given);
  const unknown = given.filter(({ upstreamId }) => !stored.has(upstreamId));
  if (unknown.length === 0) return 0;
  const contactIds = await findOrMakeContacts(
    tx,
    owner.accountId,
    unknown.map(({ recipient }) => recipient),
  );
  const found = unknown.map((echo, index): OfContact => ({ ...echo, contactId: contactIds[index] ?? '' }));
  if ((await storedOf(tx, owner, found)).size > 0) throw new OvertakenError();
  const fresh = (await withChanges(tx, owner, identify(owner, found, arrivedAt), 'outbound')).map(
    ({ recipient, ...echo }): AppMessage & Pick<Echo, 'recipient'> => ({
      ...echo,
      recipient,
      direction: 'outbound',
      person: recipient.sender,
      name: null,
      state: 'sent',
      error: null,
    }),
  );
  if ((await storeAppMessages(tx, owner, 'business_app', fresh)) < fresh.length) throw new OvertakenError();
  await expectMedia(tx, owner, fresh);
  for (const echo of fresh) publish(tx, owner, echo);
  return fresh.length;
}

const storedOf = (tx: Transaction, owner: NumberOwner, echoes: readonly Echo[]): Promise<Set<string>> =>
  findStoredApp(
    tx,
    owner,
    'outbound',
    echoes.map(({ upstreamId }) => upstreamId),
  );

/** If a message was deleted before it arrived, only its deletion is published. */
function publish(
  tx: Transaction,
  { accountId, phoneNumber: from }: NumberOwner,
  { id, upstreamId, recipient, type, content, reference, at, deletedAt }: AppMessage & Pick<Echo, 'recipient'>,
): void {
  if (deletedAt !== null) return;
  const { sender: to, userId } = recipient;
  tx.publish(messageEchoedV1, {
    accountId,
    action: 'sent',
    id,
    upstreamId,
    changeId: null,
    from,
    to,
    userId,
    type,
    content,
    context: reference?.context ?? null,
    timestamp: at,
  });
}
