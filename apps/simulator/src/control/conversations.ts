import { userIdOf, waIdOf } from '../customers/identity';
import type { World } from '../world';

const MAX_CONVERSATIONS = 50;
/** Maximum number of messages to scan for conversations, per direction. */
const MAX_LOOKED_AT = 2_000;
const MAX_SHOWN = 200;

interface Line {
  direction: 'inbound' | 'outbound';
  customer: string;
  /** True when the message addresses the customer by user id. */
  byUserId: boolean;
  phoneNumberId: string;
  /** ISO 8601. */
  at: string;
  place: number;
  id: string;
  type: string;
  content: object;
  status?: string;
  name?: string;
  /** Time at which the business read the message; inbound only. */
  readAt?: string;
  /** True when the message was sent from the business's phone app. */
  isEcho?: boolean;
}

interface Conversation {
  customer: string;
  userId: string;
  name?: string;
  username?: string;
  hidesPhone: boolean;
  /** Digits of the business number of the last message; absent when the number was removed. */
  number?: string;
  messages: number;
  last: Line;
}

/** Lists the customers of the newest messages, newest first, each with the last message. */
export function listConversations(world: World): Conversation[] {
  const conversations = new Map<string, Conversation>();
  for (const line of linesOf(world, { limit: MAX_LOOKED_AT })) {
    const known = conversations.get(line.customer);
    if (known) {
      known.messages += 1;
      known.name ??= line.name;
    } else if (conversations.size < MAX_CONVERSATIONS) {
      const { customer, byUserId: hidesPhone } = line;
      const { name, ...person } = world.customers.people.find(customer) ?? { hidesPhone, name: line.name };
      const number = world.numbers.all().find(({ id }) => id === line.phoneNumberId)?.displayDigits;
      const userId = userIdOf(customer);
      conversations.set(customer, { customer, userId, name, number, messages: 1, last: line, ...person });
    }
  }
  return [...conversations.values()];
}

/** Returns a conversation, oldest message first, with its typing state and the numbers that block the customer. */
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
    ({ phoneNumberId, to, byUserId, acceptedAt, place, wamid, type, body, status, isEcho }): Line => ({
      direction: 'outbound',
      customer: to,
      byUserId,
      phoneNumberId,
      at: acceptedAt,
      place,
      id: wamid,
      type,
      content: body,
      status,
      isEcho,
    }),
  );
  const inboundLines = inbound.list({ from: customer, limit }).map(
    ({ phoneNumberId, from, name, writtenAt, place, message, readAt }): Line => ({
      direction: 'inbound',
      customer: from,
      byUserId: message.from === undefined,
      phoneNumberId,
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
