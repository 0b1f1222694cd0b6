import { waIdOf } from '../customers/identity';
import type { World } from '../world';

const MAX_CONVERSATIONS = 50;
/** How many messages of each direction are looked through for conversations. */
const MAX_LOOKED_AT = 2_000;
const MAX_SHOWN = 200;

interface Line {
  direction: 'inbound' | 'outbound';
  customer: string;
  /** ISO 8601. */
  at: string;
  place: number;
  id: string;
  type: string;
  content: object;
  status?: string;
  name?: string;
  /** Of a message that was written in: when the business read it. */
  readAt?: string;
}

/** The customers of the newest messages with their last line, the newest first. */
export function listConversations(world: World): { customer: string; name?: string; messages: number; last: Line }[] {
  const conversations = new Map<string, { customer: string; name?: string; messages: number; last: Line }>();
  for (const line of linesOf(world, { limit: MAX_LOOKED_AT })) {
    const known = conversations.get(line.customer);
    if (known) {
      known.messages += 1;
      known.name ??= line.name;
    } else if (conversations.size < MAX_CONVERSATIONS) {
      conversations.set(line.customer, { customer: line.customer, name: line.name, messages: 1, last: line });
    }
  }
  return [...conversations.values()];
}

/** One conversation, the oldest message first, whether the business is writing, and which numbers block them. */
export function readConversation(
  world: World,
  customer: string,
): { messages: Line[]; isTyping: boolean; blockedBy: string[] } {
  const messages = linesOf(world, { customer, limit: MAX_SHOWN }).slice(0, MAX_SHOWN).reverse();
  const blockedBy = world.numbers
    .all()
    .filter(({ id }) => world.customers.blocked.has(id, waIdOf(customer)))
    .map(({ displayDigits }) => displayDigits);
  return { messages, isTyping: world.typing.isShownTo(customer, Date.now()), blockedBy };
}

function linesOf({ messages, inbound }: World, { customer, limit }: { customer?: string; limit: number }): Line[] {
  const outboundLines = messages.list({ to: customer, limit }).map(
    ({ to, acceptedAt, place, wamid, type, body, status }): Line => ({
      direction: 'outbound',
      customer: to,
      at: acceptedAt,
      place,
      id: wamid,
      type,
      content: body,
      status,
    }),
  );
  const inboundLines = inbound.list({ from: customer, limit }).map(
    ({ from, name, writtenAt, place, message, readAt }): Line => ({
      direction: 'inbound',
      customer: from,
      at: writtenAt,
      place,
      id: message.id,
      type: message.type,
      content: message,
      name,
      readAt,
    }),
  );
  return [...outboundLines, ...inboundLines].sort(
    (one, other) => other.at.localeCompare(one.at) || other.place - one.place,
  );
}
