import { valueFor } from '../callbacks/callback-body';
import { userIdOf, waIdOf, waIdOfUser } from '../customers/identity';
import { isObject, type JsonObject } from '../json';
import { unixSeconds } from '../messages/statuses';
import { newWamid } from '../messages/wamid';
import type { BusinessNumber } from '../numbers/number-store';
import type { World } from '../world';
import { ControlError, textOf } from './control-error';
import { inboundMedia, isMediaKind } from './inbound-media';

const PHONE = /^[1-9]\d{7,14}$/;
const TIMESTAMP = /^\d{1,10}$/;
const DAY_MS = 86_400_000;
/** Platform error code for a business that does not share its history. */
const DECLINED = 2593109;

/**
 * Sends a message from the business's phone app to a customer: `{from?, to, type?, <type>, id?, timestamp?}`, where
 * `from` is a business number.
 * @param origin origin of media URLs
 * @throws ControlError
 */
export async function writeFromApp(world: World, body: JsonObject, origin: string): Promise<{ messageId: string }> {
  const number = numberOf(world, body);
  const { waId, isUserId } = customerOf('to', body.to);
  const type = textOf(body.type) ?? 'text';
  const content = isMediaKind(type)
    ? { [type]: await inboundMedia(world, number.id, { type, given: body[type], origin }) }
    : contentOf(type, body);
  const echo = {
    from: number.displayDigits,
    to: isUserId ? userIdOf(waId) : waId,
    id: textOf(body.id) ?? newWamid(waId, 'outbound'),
    timestamp: timeOf(body.timestamp),
    ...(isObject(body.context) && { context: body.context }),
    type,
    ...content,
  };
  if (type !== 'edit' && type !== 'revoke')
    world.messages.addEcho({
      wamid: echo.id,
      phoneNumberId: number.id,
      to: waId,
      byUserId: isUserId,
      misrouted: false,
      type,
      body: echo,
      acceptedAt: new Date(Number(echo.timestamp) * 1_000).toISOString(),
      place: world.nextPlace(),
      status: 'sent',
      statuses: [],
      isEcho: true,
    });
  emit(world, number, 'smb_message_echoes', { message_echoes: [echo] });
  return { messageId: echo.id };
}

/**
 * Sends history of the phone app: `{from?, phase?, chunkOrder?, progress?, threads: [{customer, messages:
 * [{by?, type?, <type>, ageDays?, timestamp?, status?, id?}]}]}`, or `{declined: true}`.
 * @throws ControlError
 */
export function tellHistory(world: World, body: JsonObject): { messageIds: string[] } {
  const number = numberOf(world, body);
  if (body.declined === true) {
    const error = { code: DECLINED, title: 'History sharing is turned off by the business', message: 'declined' };
    emit(world, number, 'history', { history: [{ errors: [error] }] });
    return { messageIds: [] };
  }
  const { phase = 0, chunkOrder = 1, progress = 100, threads } = body;
  for (const [name, given] of Object.entries({ phase, chunkOrder, progress }))
    if (!Number.isInteger(given)) throw new ControlError(`${name}: a whole number is required`);
  if (!Array.isArray(threads)) throw new ControlError('threads: a list is required');
  const told = threads.map((thread: unknown) => threadOf(number, thread));
  const metadata = { phase, chunk_order: chunkOrder, progress };
  emit(world, number, 'history', { history: [{ metadata, threads: told }] });
  return { messageIds: told.flatMap(({ messages }) => messages.map(({ id }) => id)) };
}

/**
 * Sends contacts of the phone app: `{from?, contacts: [{phone, name?, action?, timestamp?}]}`; `action` is `add`,
 * `edit` or `remove`.
 * @throws ControlError
 */
export function tellContacts(world: World, body: JsonObject): { contacts: number } {
  const number = numberOf(world, body);
  if (!Array.isArray(body.contacts)) throw new ControlError('contacts: a list is required');
  const changes = body.contacts.map((given: unknown) => {
    const { phone, name, action = 'add', timestamp } = isObject(given) ? given : {};
    const { waId } = customerOf('phone', phone);
    const fullName = textOf(name);
    return {
      type: 'contact',
      contact: { ...(fullName && { full_name: fullName, first_name: fullName.split(' ')[0] }), phone_number: waId },
      action,
      metadata: { timestamp: timeOf(timestamp) },
    };
  });
  emit(world, number, 'smb_app_state_sync', { state_sync: changes });
  return { contacts: changes.length };
}

function threadOf(number: BusinessNumber, given: unknown): { id: string; messages: (JsonObject & { id: string })[] } {
  const { customer, messages } = isObject(given) ? given : {};
  const { waId } = customerOf('customer', customer);
  if (!Array.isArray(messages)) throw new ControlError('messages: a list is required');
  return {
    id: waId,
    messages: messages.map((message: unknown) => {
      if (!isObject(message)) throw new ControlError('messages: each is an object');
      const { by = 'customer', ageDays = 1, status = 'READ' } = message;
      if (by !== 'customer' && by !== 'business') throw new ControlError('by: one of customer, business');
      const type = textOf(message.type) ?? 'text';
      const seconds = Math.floor((Date.now() - Number(ageDays) * DAY_MS) / 1_000);
      return {
        ...(by === 'business' ? { from: number.displayDigits, to: waId } : { from: waId }),
        id: textOf(message.id) ?? newWamid(waId, by === 'business' ? 'outbound' : 'inbound'),
        timestamp: timeOf(message.timestamp ?? seconds),
        type,
        // The platform sends the files later or never.
        ...(type === 'media_placeholder' ? {} : contentOf(type, message)),
        history_context: { status },
      };
    }),
  };
}

function contentOf(type: string, { [type]: given }: JsonObject): JsonObject {
  if (type === 'text') {
    const text = isObject(given) ? textOf(given.body) : textOf(given);
    if (text === undefined) throw new ControlError('text: a body is required');
    return { text: { body: text } };
  }
  if (isObject(given) || Array.isArray(given)) return { [type]: given };
  throw new ControlError(`${type}: an object is required`);
}

function numberOf(world: World, { from }: JsonObject): BusinessNumber {
  const number = world.numbers.find(from === undefined ? undefined : String(from));
  if (!number) throw new ControlError('from: no such business number', 404);
  return number;
}

function customerOf(field: string, given: unknown): { waId: string; isUserId: boolean } {
  const text = typeof given === 'string' || typeof given === 'number' ? String(given).replace(/^\+/, '') : '';
  const ofUser = waIdOfUser(text);
  const waId = ofUser ?? waIdOf(text);
  if (!PHONE.test(waId))
    throw new ControlError(`${field}: 8 to 15 digits, or a user id of the simulator, are required`);
  return { waId, isUserId: ofUser !== undefined };
}

function timeOf(timestamp: unknown): string {
  if (timestamp === undefined) return unixSeconds();
  if (!TIMESTAMP.test(String(timestamp))) throw new ControlError('timestamp: Unix seconds are required');
  return String(timestamp);
}

function emit(world: World, number: BusinessNumber, field: string, value: object): void {
  world.callbacks.emit({ kind: 'change', wabaId: number.wabaId, field, value: { ...valueFor(number), ...value } });
}
