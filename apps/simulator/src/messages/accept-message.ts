import type { UpstreamSendResponse } from '@switchboard/upstream';
import type { Outgoing } from './statuses';
import { invalidParameter, refusal } from '../graph-error';
import type { JsonObject } from '../json';
import type { BusinessNumber } from '../numbers/number-store';
import { checkProduct } from '../product';
import type { World } from '../world';
import { magicOf } from './magic-numbers';
import { type Outcome, outcomeOf } from './outcome';
import type { CheckedSend } from './validate-message';
import { newWamid } from './wamid';

export interface Acceptance {
  answer: UpstreamSendResponse;
  /** Settles once the first status was received, for a send that must not be answered before. */
  firstStatusReceived?: Promise<void>;
}

/** Takes a send that passed all checks: remembers it, has its statuses played, and says what to answer. */
export function acceptMessage(
  world: World,
  number: BusinessNumber,
  send: CheckedSend,
  request: { body: JsonObject; bodyBytes: number },
): Acceptance {
  const wamid = newWamid(send.waId, 'outbound');
  const { waId, misrouted, type, template, opaque } = send;
  const acceptedAt = new Date().toISOString();
  const message = {
    wamid,
    phoneNumberId: number.id,
    to: waId,
    misrouted,
    type,
    body: request.body,
    opaque,
    acceptedAt,
    place: world.nextPlace(),
    status: 'accepted',
    statuses: [],
  };
  world.messages.add(message, request.bodyBytes);
  if (template) world.lifecycle.wasSent(template, Date.now());
  if (misrouted) world.logger.warn({ to: `…${waId.slice(-4)}` }, 'message.misrouted');
  const outgoing = { message, number, send, forced: magicOf(waId)?.callbacks };
  return { answer: answerOf(wamid, send), firstStatusReceived: playStatuses(world, outgoing) };
}

/** Linked media are fetched after the answer, so what becomes of the message is known later. */
function playStatuses(world: World, outgoing: Outgoing): Promise<void> | undefined {
  const { send, number } = outgoing;
  const outcome = (mediaProblem?: string): Outcome =>
    outcomeOf({ ...send, mediaProblem: send.mediaProblem ?? mediaProblem }, number.id, {
      customers: world.customers,
      faults: world.faults,
      nowMs: Date.now(),
    });
  if (!world.settings.fetchLinks || !send.link) return world.statuses.play(outgoing, outcome());
  void world.links.problemOf(send.link, Date.now()).then((problem) => world.statuses.play(outgoing, outcome(problem)));
  return undefined;
}

function answerOf(wamid: string, { input, waId, byUserId, template }: CheckedSend): UpstreamSendResponse {
  return {
    messaging_product: 'whatsapp',
    contacts: [byUserId ? { input, user_id: input } : { input, wa_id: waId }],
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
