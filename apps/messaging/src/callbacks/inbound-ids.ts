import { firstIdAt } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import { inboundMessageId } from '../messages/message-id';
import type { NumberOwner } from '../numbers/numbers.queries';
import type { InboundMessage } from './inbound-messages';
import { placeOfInbound, secondOf } from './inbound-place';
import { FIND_STORED, FIND_UNDATED, SECONDS } from './inbound.queries';

const SECOND_MS = 1_000;

/** A message whose contact is known and locked. */
export type OfContact = InboundMessage & { contactId: string };
export type Identified = OfContact & { id: string };
/** Fields that determine the position of a message in time. */
type Placed = Pick<InboundMessage, 'upstreamId' | 'at' | 'position'>;

/** Lowest ids of the second in which a message was written and of the next second. */
interface Second {
  first: string;
  next: string;
}

/** Removes repeated messages of a callback, keeping the first. */
export function withoutRepeated<Message extends Pick<InboundMessage, 'upstreamId'>>(
  messages: readonly Message[],
): Message[] {
  const seen = new Set<string>();
  return messages.filter(({ upstreamId }) => !seen.has(upstreamId) && seen.add(upstreamId));
}

/** Returns the upstream ids of messages that are already stored. Ignores messages without a time from upstream. */
export async function findStored(
  tx: Transaction,
  { accountId, id: numberId }: NumberOwner,
  messages: readonly InboundMessage[],
): Promise<Set<string>> {
  const dated = messages.filter(({ isDated }) => isDated);
  const seconds = [...new Map(dated.map(({ at }) => [secondAt(at).first, secondAt(at)])).values()];
  if (seconds.length === 0) return new Set();
  const params = [
    accountId,
    numberId,
    ...boundsOf(seconds),
    dated.map(({ upstreamId }) => upstreamId),
    ...SECONDS.parameters(seconds),
  ];
  return new Set((await tx.query<{ upstreamId: string }>(FIND_STORED, params)).map(({ upstreamId }) => upstreamId));
}

/** Returns the upstream ids of already stored messages without a time from upstream. */
export async function findUndated(
  tx: Transaction,
  { accountId }: NumberOwner,
  messages: readonly OfContact[],
): Promise<Set<string>> {
  const undated = messages.filter(({ isDated }) => !isDated);
  if (undated.length === 0) return new Set();
  const rows = await tx.query<{ upstreamId: string }>(FIND_UNDATED, [
    accountId,
    undated.map(({ contactId }) => contactId),
    undated.map(({ upstreamId }) => upstreamId),
  ]);
  return new Set(rows.map(({ upstreamId }) => upstreamId));
}

/** Assigns each message the id of its position in time. */
export function identify<Message extends Placed>(
  owner: NumberOwner,
  messages: readonly Message[],
  arrivedAt: Date,
): (Message & { id: string })[] {
  return messages.map((message) => {
    const { upstreamId, at, position } = message;
    return {
      ...message,
      id: inboundMessageId({
        numberId: owner.id,
        upstreamId,
        ...placeOfInbound(new Date(at), { arrivedAt, position }),
      }),
    };
  });
}

function secondAt(at: string): Second {
  const first = secondOf(Date.parse(at));
  return { first: firstIdAt('msg', first), next: firstIdAt('msg', first + SECOND_MS) };
}

/** Returns the lowest id of all seconds and their exclusive upper bound. */
function boundsOf(seconds: readonly Second[]): [string, string] {
  const [firsts, nexts] = [seconds.map(({ first }) => first).toSorted(), seconds.map(({ next }) => next).toSorted()];
  return [firsts[0] ?? '', nexts.at(-1) ?? ''];
}
