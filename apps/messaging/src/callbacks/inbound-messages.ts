import type { UpstreamInboundMessage, UpstreamMessagesValue } from '@switchboard/upstream';
import { upstreamTime } from './upstream-time';

/** A message a customer wrote, in our terms. */
export interface InboundMessage {
  upstreamId: string;
  /** The phone number, or the upstream's user id where the number is hidden. */
  sender: string;
  userId: string | null;
  name: string | null;
  type: string;
  content: object | null;
  /** When the customer wrote, ISO 8601. */
  at: string;
  /** Whether it opens the service window: the upstream's own notices do not. */
  opensWindow: boolean;
}

const TYPE = /^[a-z_]{1,40}$/;

/** The inbound messages of a callback, in its order; what has no id or no sender is left out. */
export function readInbound(value: UpstreamMessagesValue, now: Date): InboundMessage[] {
  return (value.messages ?? []).flatMap((message: Partial<UpstreamInboundMessage>): InboundMessage[] => {
    const { id, from, from_user_id: userId, timestamp } = message;
    const sender = from ?? userId;
    if (typeof id !== 'string' || typeof sender !== 'string' || sender === '') return [];
    const type = typeof message.type === 'string' && TYPE.test(message.type) ? message.type : 'unsupported';
    const name = nameOf(value, from, userId);
    const at = upstreamTime(timestamp, now);
    return [{ upstreamId: id, sender, userId: userId ?? null, name, type, content: contentOf(message, type), at, opensWindow: type !== 'system' }];
  });
}

function nameOf({ contacts = [] }: UpstreamMessagesValue, from: string | undefined, userId: string | undefined): string | null {
  const contact = contacts.find((each) => (from !== undefined && each.wa_id === from) || (userId !== undefined && each.user_id === userId));
  const name = contact?.profile?.name;
  return typeof name === 'string' && name !== '' ? name : null;
}

/** What the upstream put under the type's name: an object, or a list (contacts). */
function contentOf(message: Partial<UpstreamInboundMessage>, type: string): object | null {
  const content = message[type];
  return typeof content === 'object' ? content : null;
}
