import type { UpstreamContact, UpstreamInboundMessage, UpstreamMessagesValue } from '@switchboard/upstream';
import { valueFor } from '../callbacks/callback-body';
import { callbackError, unixSeconds } from '../messages/statuses';
import { parentUserIdOf, userIdOf, waIdOf, waIdOfUser } from '../customers/identity';
import type { Person } from '../customers/people';
import { isObject, type JsonObject } from '../json';
import { newWamid } from '../messages/wamid';
import type { BusinessNumber } from '../numbers/number-store';
import type { World } from '../world';
import { ControlError, textOf } from './control-error';
import { inboundMedia, isMediaKind } from './inbound-media';

const PHONE = /^[1-9]\d{7,14}$/;
const MAX_TEXT = 4_096;
const UNKNOWN_TYPE = 131051;

interface Writer {
  waId: string;
  name: string;
  /** True when the callback omits the phone number. The user id is always included. */
  hidesPhone: boolean;
  username?: string;
  /** True when the callback contains the parent BSUID. */
  hasParentUserId: boolean;
}

/**
 * Sends a message from a customer to a business number (`to`: its id or digits; default: the first number).
 * @throws ControlError
 */
export async function writeIn(world: World, body: JsonObject, origin: string): Promise<{ messageId: string }> {
  const number = world.numbers.find(body.to === undefined ? undefined : String(body.to));
  if (!number) throw new ControlError('to: no such business number', 404);
  const writer = readWriter(world, body);
  if (world.customers.blocked.has(number.id, writer.waId))
    throw new ControlError('from: the number has blocked this customer, whose messages do not arrive', 409);
  const type = body.type ?? 'text';
  if (typeof type !== 'string' || !/^[a-z_]{1,30}$/.test(type))
    throw new ControlError('type: the name of a message type is required');
  const content = await contentOf(world, number, {
    type,
    given: body[type],
    error: body.error,
    origin,
    waId: writer.waId,
  });
  const message = messageFrom(writer, body, content);
  const writtenMs = body.timestamp === undefined ? Date.now() : Number(message.timestamp) * 1_000;
  if (opensWindow(message))
    world.customers.wrote(number.id, writer.waId, { name: writer.name, lastInboundMs: writtenMs });
  if (message.referral) world.pricing.cameFromAd(number.id, writer.waId, writtenMs);
  world.inbound.add({
    phoneNumberId: number.id,
    from: writer.waId,
    name: writer.name,
    message,
    writtenAt: new Date(writtenMs).toISOString(),
    place: world.nextPlace(),
  });
  world.callbacks.emit({
    kind: 'change',
    wabaId: number.wabaId,
    field: 'messages',
    value: inboundValue(number, writer, message),
  });
  return { messageId: message.id };
}

/**
 * Returns true for messages that open the service window, which excludes edits, deletions, and system and group
 * messages.
 */
const opensWindow = ({ type, group_id }: UpstreamInboundMessage): boolean =>
  group_id === undefined && !['edit', 'revoke', 'system'].includes(type);

/** Simulates a customer's call to a business number. @throws ControlError */
export function callIn(world: World, body: JsonObject): { callId: string } {
  const number = world.numbers.find(body.to === undefined ? undefined : String(body.to));
  if (!number) throw new ControlError('to: no such business number', 404);
  const writer = readWriter(world, body);
  const place = world.nextPlace();
  const [now, timestamp] = [Date.now(), unixSeconds()];
  const id = textOf(body.id) ?? `wacid.${newWamid(writer.waId, 'inbound').slice('wamid.'.length)}`;
  const caller = { ...(!writer.hidesPhone && { from: writer.waId }), from_user_id: userIdOf(writer.waId) };
  const call = {
    id,
    ...caller,
    to: number.displayDigits,
    event: 'connect',
    timestamp,
    direction: 'USER_INITIATED',
    session: { sdp_type: 'offer', sdp: 'v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n' },
  };
  world.customers.wrote(number.id, writer.waId, { name: writer.name, lastInboundMs: now });
  world.inbound.add({
    phoneNumberId: number.id,
    from: writer.waId,
    name: writer.name,
    place,
    message: { ...caller, id, timestamp, type: 'call' },
    writtenAt: new Date(now).toISOString(),
  });
  const value = { ...valueFor(number), contacts: [contactOf(writer)], calls: [call] };
  world.callbacks.emit({ kind: 'change', wabaId: number.wabaId, field: 'calls', value });
  return { callId: id };
}

/** Stops or resumes marketing messages for a customer. @throws ControlError */
export function changePreference(world: World, body: JsonObject): object {
  const number = world.numbers.find(body.to === undefined ? undefined : String(body.to));
  if (!number) throw new ControlError('to: no such business number', 404);
  const writer = readWriter(world, body);
  const { value } = body;
  if (value !== 'stop' && value !== 'resume') throw new ControlError('value: one of stop, resume is required');
  if (value === 'stop') world.customers.stopMarketing(number.id, writer.waId);
  else world.customers.resumeMarketing(number.id, writer.waId);
  const preference = {
    ...(!writer.hidesPhone && { wa_id: writer.waId }),
    user_id: userIdOf(writer.waId),
    ...(writer.hasParentUserId && { parent_user_id: parentUserIdOf(writer.waId) }),
    detail: `User requested to ${value} marketing messages`,
    category: 'marketing_messages',
    value,
    timestamp: Number(unixSeconds()),
  };
  const change = { ...valueFor(number), contacts: [contactOf(writer)], user_preferences: [preference] };
  world.callbacks.emit({ kind: 'change', wabaId: number.wabaId, field: 'user_preferences', value: change });
  return { from: writer.waId, value };
}

/** Fills in missing sender fields from the described customer. */
function readWriter({ customers }: World, { from, name, hidePhone, username, parentUserId }: JsonObject): Writer {
  const { waId, isUserId } = readPerson('from', from);
  const person = customers.people.find(waId);
  return {
    waId,
    name: textOf(name) ?? person?.name ?? 'Test Customer',
    hidesPhone: isUserId || (typeof hidePhone === 'boolean' ? hidePhone : (person?.hidesPhone ?? false)),
    username: textOf(username) ?? person?.username,
    hasParentUserId: typeof parentUserId === 'boolean' ? parentUserId : (person?.hasParentUserId ?? false),
  };
}

/** @throws ControlError */
function readPerson(field: string, given: unknown): { waId: string; isUserId: boolean } {
  const text = String(given ?? '').replace(/^\+/, '');
  const ofUser = waIdOfUser(text);
  const waId = ofUser ?? waIdOf(text);
  if (!PHONE.test(waId))
    throw new ControlError(`${field}: 8 to 15 digits, or a user id of the simulator, are required`);
  return { waId, isUserId: ofUser !== undefined };
}

/**
 * Describes a customer for all of their future messages, and for the statuses of messages sent to them.
 * @throws ControlError
 */
export function describePerson(
  { customers }: World,
  { phone, name, username, hidePhone, parentUserId }: JsonObject,
): object {
  const { waId } = readPerson('phone', phone);
  if (hidePhone !== undefined && typeof hidePhone !== 'boolean') throw new ControlError('hidePhone: true or false');
  if (parentUserId !== undefined && typeof parentUserId !== 'boolean')
    throw new ControlError('parentUserId: true or false');
  const person = {
    name: textOf(name) ?? 'Test Customer',
    username: textOf(username),
    hidesPhone: hidePhone === true,
    hasParentUserId: parentUserId === true,
  };
  if (!customers.people.describe(waId, person)) throw new ControlError('there are too many people', 409);
  return shownPerson({ waId, ...person });
}

export function listPeople({ customers }: World): object[] {
  return customers.people.all().map(shownPerson);
}

function shownPerson({ waId, name, username, hidesPhone, hasParentUserId }: Person & { waId: string }): object {
  const parentUserId = hasParentUserId ? parentUserIdOf(waId) : undefined;
  return { phone: waId, userId: userIdOf(waId), parentUserId, name, username, hidePhone: hidesPhone };
}

function messageFrom(
  { waId, hidesPhone, hasParentUserId }: Writer,
  body: JsonObject,
  content: JsonObject,
): UpstreamInboundMessage {
  const { context, referral, origin, timestamp, groupId } = body;
  if (timestamp !== undefined && !/^\d{10}$/.test(String(timestamp)))
    throw new ControlError('timestamp: Unix seconds are required');
  return {
    ...(isObject(context) && { context }),
    ...(isObject(referral) && { referral }),
    // Source of a contact card. `contact_request` marks the customer's own, which the business requested.
    ...(textOf(origin) !== undefined && { origin }),
    ...(textOf(groupId) !== undefined && { group_id: textOf(groupId) }),
    ...(!hidesPhone && { from: waId }),
    from_user_id: userIdOf(waId),
    ...(hasParentUserId && { from_parent_user_id: parentUserIdOf(waId) }),
    id: textOf(body.id) ?? newWamid(waId, 'inbound'),
    timestamp: String(timestamp ?? unixSeconds()),
    type: String(body.type ?? 'text'),
    ...content,
  };
}

function inboundValue(number: BusinessNumber, writer: Writer, message: UpstreamInboundMessage): UpstreamMessagesValue {
  const value = { ...valueFor(number), contacts: [contactOf(writer)], messages: [message] };
  // System messages have no contacts.
  return message.type === 'system' ? { ...valueFor(number), messages: [message] } : value;
}

function contactOf({ waId, name, hidesPhone, username, hasParentUserId }: Writer): UpstreamContact {
  return {
    profile: { name, ...(username && { username }) },
    ...(!hidesPhone && { wa_id: waId }),
    user_id: userIdOf(waId),
    ...(hasParentUserId && { parent_user_id: parentUserIdOf(waId) }),
  };
}

interface Given {
  type: string;
  given: unknown;
  error: unknown;
  origin: string;
  waId: string;
}

async function contentOf(
  world: World,
  number: BusinessNumber,
  { type, given, error, origin, waId }: Given,
): Promise<JsonObject> {
  if (error !== undefined)
    return { type: 'unsupported', errors: [callbackError(Number(error), `${type} could not be received.`)] };
  if (type === 'text') return { text: { body: readText(given) } };
  if (isMediaKind(type)) return { [type]: await inboundMedia(world, number.id, { type, given, origin }) };
  if (type === 'unsupported') {
    return {
      errors: [callbackError(UNKNOWN_TYPE, 'Message type is currently not supported.')],
      ...(isObject(given) && { unsupported: given }),
    };
  }
  if (type === 'system' && isObject(given)) return { system: withUserIds(given, waId) };
  if (isObject(given) || Array.isArray(given)) return { [type]: given };
  throw new ControlError(`${type}: an object is required`);
}

/** A new number implies a new user id. */
function withUserIds(system: JsonObject, waId: string): JsonObject {
  const { type, wa_id: next } = system;
  if (type !== 'user_changed_number' || typeof next !== 'string' || !PHONE.test(next)) return system;
  return { user_id: userIdOf(next), previous_user_id: userIdOf(waId), ...system };
}

function readText(given: unknown): string {
  const body = isObject(given) ? given.body : given;
  if (typeof body === 'string' && body !== '' && body.length <= MAX_TEXT) return body;
  throw new ControlError(`text: 1 to ${MAX_TEXT} characters are required`);
}
