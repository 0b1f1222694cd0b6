import type { UpstreamSendResponse } from '@switchboard/upstream';
import { invalidParameter, refusal } from '../graph-error';
import type { JsonObject } from '../json';
import type { BusinessNumber } from '../numbers/number-store';
import type { World } from '../world';
import { checkProduct, checkSend } from './validate-message';
import { newWamid } from './wamid';

/**
 * Takes a send: remembers it, has its statuses played, and answers as the platform does.
 * @throws GraphError when a check refuses it
 */
export function acceptMessage(world: World, number: BusinessNumber, body: JsonObject): UpstreamSendResponse {
  const send = checkSend(body, number, world.templates);
  const wamid = newWamid(send.waId, 'outbound');
  const { input, waId, misrouted, type, template, opaque } = send;
  const acceptedAt = new Date().toISOString();
  world.messages.add({ wamid, phoneNumberId: number.id, to: waId, misrouted, type, body, opaque, acceptedAt, status: 'accepted' });
  if (misrouted) world.logger.warn({ to: `…${waId.slice(-4)}` }, 'message.misrouted');
  world.statuses.play({ wamid, number, send });
  return {
    messaging_product: 'whatsapp',
    contacts: [{ input, wa_id: waId }],
    messages: [{ id: wamid, ...(template && { message_status: 'accepted' }) }],
  };
}

/**
 * A read receipt, with or without a typing indicator; nothing follows from it here.
 * @throws GraphError for another status or without a message id
 */
export function markRead(body: JsonObject): { success: true } {
  checkProduct(body);
  if (body.status !== 'read') throw invalidParameter('Param status must be one of {READ}.');
  if (typeof body.message_id !== 'string') throw invalidParameter('The parameter message_id is required.');
  if (!body.message_id.startsWith('wamid.')) throw refusal(131009, 'Param message_id is not a valid message id');
  return { success: true };
}
