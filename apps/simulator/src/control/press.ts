import { userIdOf } from '../customers/identity';
import { isObject, type JsonObject } from '../json';
import type { AcceptedMessage } from '../messages/message-log';
import type { World } from '../world';
import { answerTo } from './answers';
import { ControlError, textOf } from './control-error';
import { writeIn } from './inbound';

/** Number of newest messages to search. */
const MAX_LOOKED_AT = 2_000;

/** ID of the button that shares the customer's own number. */
const SHARE = 'request_contact_info';

/**
 * Presses a reply button of a message, or selects a row or product of its list, and sends the customer's reply. The id
 * of a button that the platform labels is the name of its action, such as `request_contact_info` or `flow`.
 * @throws ControlError when the message, or its button, row or product, does not exist
 */
export async function press(world: World, body: JsonObject): Promise<{ messageId: string }> {
  const { messageId, id } = body;
  const message = world.messages.list({ limit: MAX_LOOKED_AT }).find(({ wamid }) => wamid === messageId);
  if (!message) throw new ControlError('messageId: no such message was sent', 404);
  const number = world.numbers.byId(message.phoneNumberId);
  const name = number && world.customers.nameOf(number.id, message.to);
  const answer =
    id === SHARE && asksForPhone(world, message)
      ? ownCard(message.to, name)
      : answerTo(message, { ...body, id: textOf(id) });
  if (!answer || !number) throw new ControlError('id: the message has no such button, row or product');
  const context = { from: number.displayDigits, id: message.wamid };
  // A customer addressed by user id replies under it.
  const from = message.byUserId ? userIdOf(message.to) : message.to;
  // Unused, because these replies contain no file.
  const origin = '';
  const written = await writeIn(world, { from, name, to: number.id, context, ...answer }, origin);
  if (id === SHARE) world.customers.people.sharedPhone(message.to);
  return written;
}

/** Returns true if the message or its template has a button that requests the customer's number. */
function asksForPhone({ templates }: World, { body }: AcceptedMessage): boolean {
  if (isObject(body.interactive)) return body.interactive.type === SHARE;
  const { name, language } = (isObject(body.template) ? body.template : {}) as JsonObject;
  const code = isObject(language) ? String(language.code) : '';
  const template = templates.find(String(name), code);
  const buttons = template?.components?.find(({ type }) => type === 'BUTTONS')?.buttons ?? [];
  return buttons.some(({ type }) => type === 'REQUEST_CONTACT_INFO');
}

/** Returns the contact card that the platform generates for the customer. */
function ownCard(waId: string, name = waId): JsonObject {
  const card = { name: { formatted_name: name }, phones: [{ phone: `+${waId}`, wa_id: waId, type: 'CELL' }] };
  return { type: 'contacts', origin: 'contact_request', contacts: [card] };
}
