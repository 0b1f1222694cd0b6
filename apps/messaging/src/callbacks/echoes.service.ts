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

/** Takes in what somebody wrote in the business's phone app, to people who are written to from here as well. */
@Injectable()
export class EchoesService {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Stores what is new with its files to fetch and its events, in one transaction. It is an answer in the conversation,
   * and opens no window.
   * @param arrivedAt when upstream reported them
   * @returns how many were new
   */
  async storeEchoes(owner: NumberOwner, echoes: readonly Echo[], arrivedAt: Date): Promise<number> {
    const stored = await orAgain(() => this.transactions.run((tx) => storeNew(tx, owner, echoes, arrivedAt)));
    counted.inc({ outcome: 'stored' }, stored);
    counted.inc({ outcome: 'repeated' }, echoes.length - stored);
    return stored;
  }
}

/**
 * Whoever has nothing new written to him is not looked for: he may have moved on. Two reports of one message lock the
 * same customer, so the second look sees what the other one has stored.
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

/** What was deleted before it came is told by its deletion alone. */
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
