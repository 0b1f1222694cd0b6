import { isObject, type JsonObject } from '../json';
import type { AcceptedMessage } from '../messages/message-log';
import type { World } from '../world';
import { ControlError, textOf } from './control-error';
import { writeIn } from './inbound';

/** How many of the newest messages are looked through. */
const MAX_LOOKED_AT = 2_000;

/**
 * A customer presses a reply button of a message that they got, or chooses a row of its list, and so answers it.
 * @throws ControlError when nobody got the message, or it has no such button or row
 */
export async function press(world: World, { messageId, id }: JsonObject): Promise<{ messageId: string }> {
  const message = world.messages.list({ limit: MAX_LOOKED_AT }).find(({ wamid }) => wamid === messageId);
  if (!message) throw new ControlError('messageId: no such message was sent', 404);
  const interactive = answerTo(message, textOf(id));
  const number = world.numbers.byId(message.phoneNumberId);
  if (!interactive || !number) throw new ControlError('id: the message has no such button or row');
  const context = { from: number.displayDigits, id: message.wamid };
  const name = world.customers.nameOf(number.id, message.to);
  // No file comes with it: nobody asks where the simulator is.
  const origin = '';
  return writeIn(world, { from: message.to, name, to: number.id, type: 'interactive', interactive, context }, origin);
}

function answerTo({ body }: AcceptedMessage, id: string | undefined): JsonObject | undefined {
  const { type, action } = (isObject(body.interactive) ? body.interactive : {}) as JsonObject;
  const { buttons, sections } = (isObject(action) ? action : {}) as { buttons?: JsonObject[]; sections?: JsonObject[] };
  if (type === 'button') {
    const reply = buttons?.map((button) => button.reply as JsonObject).find((each) => each.id === id);
    return reply && { type: 'button_reply', button_reply: { id: reply.id, title: reply.title } };
  }
  const row = sections?.flatMap(({ rows }) => rows as JsonObject[]).find((each) => each.id === id);
  if (type !== 'list' || !row) return undefined;
  const { title, description } = row;
  return { type: 'list_reply', list_reply: { id, title, ...(description !== undefined && { description }) } };
}
