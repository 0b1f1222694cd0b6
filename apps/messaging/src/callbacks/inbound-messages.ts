import { canonicalPhone, INBOUND_TYPES, isPhone, type ReferredMessage } from '@switchboard/contracts';
import type {
  UpstreamCallbackError,
  UpstreamContact,
  UpstreamInboundMessage,
  UpstreamMessagesValue,
} from '@switchboard/upstream';
import { type InboundMedia, readMedia, withOurMedia } from './inbound-media';
import { isTimely, upstreamTime } from '../upstream/upstream-time';

/** A message a customer wrote, in our terms. */
export interface InboundMessage {
  upstreamId: string;
  /** Where it stands in the callback, from 0. */
  position: number;
  /** The phone number, or the upstream's user id where the number is hidden. */
  sender: string;
  /** Null where the number is hidden, unless this very message tells it. */
  phone: string | null;
  userId: string | null;
  name: string | null;
  /** The customer's name on the platform, without an @. */
  username: string | null;
  type: string;
  content: object | null;
  /** The file; its id stands in the content. */
  media: InboundMedia | null;
  reference: InboundReference | null;
  /** The upstream's id of the group that it was written to; null for what was written to our number alone. */
  groupId: string | null;
  /** When the customer wrote, ISO 8601. */
  at: string;
  /**
   * Whether that is what upstream says; otherwise it is now, which another report of the same message would not say
   * again.
   */
  isDated: boolean;
}

/** What a message refers to, and what upstream has to say about it. */
export interface InboundReference {
  context: ReferredMessage | null;
  /** The advertisement or post that led the customer here, in the upstream's words. */
  referral: object | null;
  errors: object[] | null;
}

/** A message that changes another one. */
export const isChange = ({ type }: Given): boolean => type === 'edit' || type === 'revoke';

export const TYPE = /^[a-z_]{1,40}$/;
const SHOWN_TYPES: ReadonlySet<string> = new Set(INBOUND_TYPES);

/** One item of a list of upstream's. */
export type Given = Partial<UpstreamInboundMessage>;

/**
 * The inbound messages of a callback, or of a part of it, in its order; what has no id or no sender is left out.
 * @param firstPosition how much of the callback stands before the part
 */
export function readInbound(value: UpstreamMessagesValue, now: Date, firstPosition = 0): InboundMessage[] {
  return (value.messages ?? []).flatMap((message: Given, index) => {
    // What changes another message is none of its own.
    if (isChange(message)) return [];
    const read = readMessage(message, value.contacts ?? [], now);
    return read ? [{ ...read, position: firstPosition + index }] : [];
  });
}

function readMessage(
  message: Given,
  contacts: readonly UpstreamContact[],
  now: Date,
): Omit<InboundMessage, 'position'> | undefined {
  const body = readBody(message, now);
  const writer = readWriter(message, contacts);
  if (!body || !writer) return undefined;
  return {
    ...body,
    ...writer,
    phone: writer.phone ?? sharedPhone(message),
    groupId: textOrNull(message.group_id),
  };
}

/** A message without the people whom it concerns. */
export type MessageBody = Pick<
  InboundMessage,
  'upstreamId' | 'type' | 'content' | 'media' | 'reference' | 'at' | 'isDated'
>;

/** What a message says, and when. Undefined where it has no id. */
export function readBody(message: Given, now: Date): MessageBody | undefined {
  const { id: upstreamId } = message;
  if (typeof upstreamId !== 'string') return undefined;
  const named = typeof message.type === 'string' && TYPE.test(message.type) ? message.type : 'unsupported';
  const received = contentOf(message, named);
  // A known type without the content that belongs to it cannot be shown as such.
  const [type, given] = hasContent(named, received) ? [named, received] : ['unsupported', { type: named }];
  const errors = Array.isArray(message.errors) ? message.errors.filter((error) => asObject(error) !== null) : [];
  const media = readMedia(type, given, errors);
  const content = given && media ? withOurMedia(given, media) : given;
  return { upstreamId, type, content, media, reference: referenceOf(message, errors), ...timeOf(message, now) };
}

const USERNAME_MAX_CHARACTERS = 64;

/** With or without an @: upstream has written both. What is too long for a name is none. */
export function usernameOf(contact: UpstreamContact | undefined): string | null {
  const name = textOrNull(contact?.profile?.username)?.replace(/^@/, '');
  return name !== undefined && name !== '' && name.length <= USERNAME_MAX_CHARACTERS ? name : null;
}

/**
 * The number that a customer shared by the button that asks for it, which the platform vouches for; null for a card of
 * somebody that they chose themselves. The mark has stood beside the cards and within them.
 */
function sharedPhone({ type, origin, contacts }: Given): string | null {
  const card = type === 'contacts' && Array.isArray(contacts) ? asObject((contacts as unknown[])[0]) : null;
  if (!card || (origin ?? card.origin) !== 'contact_request') return null;
  const given = Array.isArray(card.phones) ? asObject((card.phones as unknown[])[0]) : null;
  const digits = String(textOrNull(given?.wa_id) ?? textOrNull(given?.phone) ?? '').replace(/[\s+()-]/g, '');
  return isPhone(digits) ? digits : null;
}

/** Who did something, as upstream names them: by phone, by its own user id, or by both. */
export type Writer = Pick<InboundMessage, 'sender' | 'phone' | 'userId' | 'name' | 'username'>;

/** Undefined where nobody is named. */
export function readWriter(given: Given, contacts: readonly UpstreamContact[]): Writer | undefined {
  const phone = textOrNull(given.from);
  // A notice of a new user id may name the person by the old one alone.
  const previous = given.type === 'system' ? textOrNull(asObject(given.system)?.previous_user_id) : null;
  const named = previous ?? textOrNull(given.from_user_id);
  const contact = contactOf(contacts, phone, named);
  const userId = named ?? textOrNull(contact?.user_id);
  const sender = phone ?? userId;
  const name = textOrNull(contact?.profile?.name);
  return sender === null ? undefined : { sender, phone, userId, name, username: usernameOf(contact) };
}

/** When it happened, as upstream says, or else now. */
export function timeOf({ timestamp }: Given, now: Date): Pick<InboundMessage, 'at' | 'isDated'> {
  const isDated = isTimely(timestamp, now);
  return { at: isDated ? upstreamTime(timestamp, now) : now.toISOString(), isDated };
}

/** The type under which a call is on record. */
export const CALL_TYPE = 'call';

/**
 * The calls that customers make, as they begin, in the callback's order. What it says of a call that goes on or ends,
 * or of one of ours, is left out.
 */
export function readCalls(value: UpstreamMessagesValue, now: Date): InboundMessage[] {
  return (value.calls ?? []).flatMap((call, position): InboundMessage[] => {
    const writer = readWriter(call, value.contacts ?? []);
    const isBegun = call.event === 'connect' && call.direction === 'USER_INITIATED';
    if (!isBegun || typeof call.id !== 'string' || !writer) return [];
    const nothing = { content: null, media: null, reference: null, groupId: null };
    return [{ upstreamId: call.id, ...writer, type: CALL_TYPE, ...nothing, ...timeOf(call, now), position }];
  });
}

/** What is told of a person beside the messages. Upstream may spell one number in two ways in one callback. */
export function contactOf(
  contacts: readonly UpstreamContact[],
  phone: string | null,
  userId: string | null,
): UpstreamContact | undefined {
  const isSender = ({ wa_id, user_id }: UpstreamContact): boolean =>
    (phone !== null && typeof wa_id === 'string' && canonicalPhone(wa_id) === canonicalPhone(phone)) ||
    (userId !== null && user_id === userId);
  return contacts.find(isSender);
}

/** What the upstream put under the type's name: an object, or a list (contacts). */
export function contentOf(message: Given, type: string): object | null {
  const content = message[type];
  // Where the cards come from is said in each, whether upstream wrote it there or beside them.
  if (type === 'contacts' && typeof message.origin === 'string' && Array.isArray(content))
    return content.map((card: unknown) => (asObject(card) ? { origin: message.origin, ...asObject(card) } : card));
  return typeof content === 'object' ? content : null;
}

/** Checks that a type that events show has its content: a list of contacts, or an object. */
export function hasContent(type: string, content: object | null): boolean {
  if (!SHOWN_TYPES.has(type)) return true;
  return type === 'contacts' ? Array.isArray(content) : asObject(content) !== null;
}

function referenceOf(message: Given, errors: UpstreamCallbackError[]): InboundReference | null {
  const context = contextOf(asObject(message.context));
  const referral = asObject(message.referral);
  return context || referral || errors.length > 0
    ? { context, referral, errors: errors.length > 0 ? errors : null }
    : null;
}

function contextOf(given: Record<string, unknown> | null): ReferredMessage | null {
  if (!given) return null;
  const context: ReferredMessage = {};
  if (typeof given.id === 'string') context.messageId = given.id;
  if (typeof given.from === 'string') context.from = given.from;
  if (given.forwarded === true || given.frequently_forwarded === true) context.forwarded = true;
  if (given.frequently_forwarded === true) context.frequentlyForwarded = true;
  const product = asObject(given.referred_product);
  if (product) context.referredProduct = product;
  return Object.keys(context).length > 0 ? context : null;
}

/** The caption of a file, which stands in its content. */
export function captionOf(content: object | null): string | null {
  const { caption } = (content ?? {}) as { caption?: unknown };
  return typeof caption === 'string' ? caption : null;
}

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

export const asObject = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
