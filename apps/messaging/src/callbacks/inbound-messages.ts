import { canonicalPhone, INBOUND_TYPES, isPhone, type ReferredMessage } from '@switchboard/contracts';
import type {
  UpstreamCallbackError,
  UpstreamContact,
  UpstreamInboundMessage,
  UpstreamMessagesValue,
} from '@switchboard/upstream';
import { type InboundMedia, readMedia, withOurMedia } from './inbound-media';
import { isTimely, upstreamTime } from '../upstream/upstream-time';

/** A message from a contact. */
export interface InboundMessage {
  upstreamId: string;
  /** Position in the callback, starting at 0. */
  position: number;
  /** Phone number, or the upstream user id if the number is hidden. */
  sender: string;
  /** Null if the number is hidden, unless the message itself contains it. */
  phone: string | null;
  userId: string | null;
  name: string | null;
  /** The contact's username on the platform, without an @. */
  username: string | null;
  /** User id of the contact that several businesses share, if upstream reports it. */
  parentUserId: string | null;
  type: string;
  content: object | null;
  /** Media file. The content contains its id. */
  media: InboundMedia | null;
  reference: InboundReference | null;
  /** Upstream id of the group. Null if the message was sent to the business number directly. */
  groupId: string | null;
  /** Time at which the contact wrote the message, ISO 8601. */
  at: string;
  /**
   * True if upstream reported this time. Otherwise it is the current time, which differs each time the message is
   * reported.
   */
  isDated: boolean;
}

/** Other messages or advertisements to which a message refers, and its errors. */
export interface InboundReference {
  context: ReferredMessage | null;
  /** Advertisement or post that led the contact here, in upstream's format. */
  referral: object | null;
  errors: object[] | null;
}

/** Returns true if the message changes another message. */
export const isChange = ({ type }: Given): boolean => type === 'edit' || type === 'revoke';

export const TYPE = /^[a-z_]{1,40}$/;
const SHOWN_TYPES: ReadonlySet<string> = new Set(INBOUND_TYPES);

/** An entry of a callback's list, in which any field may be missing. */
export type Given = Partial<UpstreamInboundMessage>;

/**
 * Reads the inbound messages of a callback or a part of it, in order. Skips messages without an id or a sender.
 * @param firstPosition position of the part in the callback
 */
export function readInbound(value: UpstreamMessagesValue, now: Date, firstPosition = 0): InboundMessage[] {
  return (value.messages ?? []).flatMap((message: Given, index) => {
    // Edits and deletions are not messages.
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

export type MessageBody = Pick<
  InboundMessage,
  'upstreamId' | 'type' | 'content' | 'media' | 'reference' | 'at' | 'isDated'
>;

/** Reads the content and time of a message. Returns undefined if it has no id. */
export function readBody(message: Given, now: Date): MessageBody | undefined {
  const { id: upstreamId } = message;
  if (typeof upstreamId !== 'string') return undefined;
  const named = typeof message.type === 'string' && TYPE.test(message.type) ? message.type : 'unsupported';
  const received = contentOf(message, named);
  // A message of a known type without its content is shown as unsupported.
  const [type, given] = hasContent(named, received) ? [named, received] : ['unsupported', { type: named }];
  const errors = Array.isArray(message.errors) ? message.errors.filter((error) => asObject(error) !== null) : [];
  const media = readMedia(type, given, errors);
  const content = given && media ? withOurMedia(given, media) : given;
  return { upstreamId, type, content, media, reference: referenceOf(message, errors), ...timeOf(message, now) };
}

const USERNAME_MAX_CHARACTERS = 64;

/** Returns the username without the @ that upstream sometimes adds. Null if it is too long. */
export function usernameOf(contact: UpstreamContact | undefined): string | null {
  const name = textOrNull(contact?.profile?.username)?.replace(/^@/, '');
  return name !== undefined && name !== '' && name.length <= USERNAME_MAX_CHARACTERS ? name : null;
}

/**
 * Returns the number that a contact shared through the button that requests it. The platform verifies this number.
 * Returns null for contact cards that the contact selected. Upstream places `origin` either beside the cards or in each
 * card.
 */
function sharedPhone({ type, origin, contacts }: Given): string | null {
  const card = type === 'contacts' && Array.isArray(contacts) ? asObject((contacts as unknown[])[0]) : null;
  if (!card || (origin ?? card.origin) !== 'contact_request') return null;
  const given = Array.isArray(card.phones) ? asObject((card.phones as unknown[])[0]) : null;
  const digits = String(textOrNull(given?.wa_id) ?? textOrNull(given?.phone) ?? '').replace(/[\s+()-]/g, '');
  return isPhone(digits) ? digits : null;
}

/** Author of a message or change, identified by phone number, user id or both. */
export type Writer = Pick<InboundMessage, 'sender' | 'phone' | 'userId' | 'name' | 'username' | 'parentUserId'>;

/** Reads the author. Returns undefined if there is none. */
export function readWriter(given: Given, contacts: readonly UpstreamContact[]): Writer | undefined {
  const phone = textOrNull(given.from);
  // A notice of a new user id may identify the contact only by the old one.
  const previous = given.type === 'system' ? textOrNull(asObject(given.system)?.previous_user_id) : null;
  const named = previous ?? textOrNull(given.from_user_id);
  const contact = contactOf(contacts, phone, named);
  const userId = named ?? textOrNull(contact?.user_id);
  const sender = phone ?? userId;
  const name = textOrNull(contact?.profile?.name);
  if (sender === null) return undefined;
  return { sender, phone, userId, name, username: usernameOf(contact), parentUserId: parentOf(given, contact) };
}

/** Returns the parent user id; of a system notice, the new one. */
function parentOf(given: Given, contact: UpstreamContact | undefined): string | null {
  const notice = given.type === 'system' ? asObject(given.system) : null;
  return (
    textOrNull(notice?.parent_user_id) ?? textOrNull(given.from_parent_user_id) ?? textOrNull(contact?.parent_user_id)
  );
}

/** Returns the time reported by upstream, or else the current time. */
export function timeOf({ timestamp }: Given, now: Date): Pick<InboundMessage, 'at' | 'isDated'> {
  const isDated = isTimely(timestamp, now);
  return { at: isDated ? upstreamTime(timestamp, now) : now.toISOString(), isDated };
}

/** Type of a call in message records. */
export const CALL_TYPE = 'call';

/** Reads incoming calls when they start, in the callback's order. Skips outbound calls and later events of a call. */
export function readCalls(value: UpstreamMessagesValue, now: Date): InboundMessage[] {
  return (value.calls ?? []).flatMap((call, position): InboundMessage[] => {
    const writer = readWriter(call, value.contacts ?? []);
    const isBegun = call.event === 'connect' && call.direction === 'USER_INITIATED';
    if (!isBegun || typeof call.id !== 'string' || !writer) return [];
    const nothing = { content: null, media: null, reference: null, groupId: null };
    return [{ upstreamId: call.id, ...writer, type: CALL_TYPE, ...nothing, ...timeOf(call, now), position }];
  });
}

/** Finds the details of a contact in a callback, which may contain the number in two formats. */
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

/** Returns the field that is named after the type: an object, or a list for contact cards. */
export function contentOf(message: Given, type: string): object | null {
  const content = message[type];
  // Adds `origin` to each card, wherever upstream placed it.
  if (type === 'contacts' && typeof message.origin === 'string' && Array.isArray(content))
    return content.map((card: unknown) => (asObject(card) ? { origin: message.origin, ...asObject(card) } : card));
  return typeof content === 'object' ? content : null;
}

/** Returns true if the content matches the type: a list for contact cards, an object for any other type. */
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

/** Returns the caption in the content of a media message. */
export function captionOf(content: object | null): string | null {
  const { caption } = (content ?? {}) as { caption?: unknown };
  return typeof caption === 'string' ? caption : null;
}

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

export const asObject = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
