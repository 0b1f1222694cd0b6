import type { UpstreamSendResponse } from '@switchboard/upstream';
import type { Outgoing } from './statuses';
import { invalidParameter, refusal } from '../graph-error';
import { isObject, type JsonObject } from '../json';
import type { BusinessNumber } from '../numbers/number-store';
import { checkProduct } from '../product';
import type { World } from '../world';
import { magicOf } from './magic-numbers';
import type { HeldStatus } from './held-messages';
import { failureOf, type Outcome, outcomeOf } from './outcome';
import type { CheckedSend } from './validate-message';
import { newWamid } from './wamid';

export interface Acceptance {
  answer: UpstreamSendResponse;
  /** Resolves when the first status is received. Set for a send whose response must wait for that. */
  firstStatusReceived?: Promise<void>;
}

/** Accepts a validated send: logs it, schedules its statuses, and returns the response. */
export function acceptMessage(
  world: World,
  number: BusinessNumber,
  send: CheckedSend,
  request: { body: JsonObject; bodyBytes: number },
): Acceptance {
  const wamid = newWamid(send.waId, 'outbound');
  const { waId, byUserId, misrouted, type, template, opaque } = send;
  const acceptedAt = new Date().toISOString();
  const message = {
    wamid,
    phoneNumberId: number.id,
    to: waId,
    byUserId,
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
  // A sent message ends the typing indicator.
  world.typing.end(number.id, waId);
  if (template) world.lifecycle.wasSent(template, Date.now());
  if (misrouted) world.logger.warn({ to: `…${waId.slice(-4)}` }, 'message.misrouted');
  const outgoing = { message, number, send, forced: magicOf(waId)?.callbacks };
  const held = world.held.keep(number.id, template?.name, (isDropped) => {
    if (isDropped) void world.statuses.play(outgoing, { steps: [], failure: failureOf(132015) });
    else void playStatuses(world, outgoing);
  });
  const firstStatusReceived = held === undefined ? playStatuses(world, outgoing) : undefined;
  return { answer: answerOf(wamid, send, held), firstStatusReceived };
}

/** Schedules the statuses. Linked media are fetched after the response, so the outcome is decided later. */
function playStatuses(world: World, outgoing: Outgoing): Promise<void> | undefined {
  const { send, number } = outgoing;
  const outcome = (mediaProblem?: string): Outcome =>
    priced(
      world,
      outgoing,
      outcomeOf({ ...send, mediaProblem: send.mediaProblem ?? mediaProblem }, number.id, {
        customers: world.customers,
        faults: world.faults,
        nowMs: Date.now(),
        mayBearReaction: (wamid) => world.inbound.mayBearReaction(wamid, { from: send.waId, nowMs: Date.now() }),
      }),
    );
  if (!world.settings.fetchLinks || !send.link) return world.statuses.play(outgoing, outcome());
  void world.links.problemOf(send.link, Date.now()).then((problem) => world.statuses.play(outgoing, outcome(problem)));
  return undefined;
}

/** Prices a message that is sent. A business without a payment method sends only what is free. */
function priced({ pricing, customers, businesses }: World, { number, send }: Outgoing, outcome: Outcome): Outcome {
  if (outcome.steps.length === 0) return outcome;
  const nowMs = Date.now();
  const hasWindow = customers.hasOpenWindow(number.id, send.waId, nowMs);
  const price = pricing.priceOf(number.id, send, { hasWindow, nowMs });
  if (price.billable && businesses.byId(number.wabaId)?.canPay === false)
    return { steps: [], failure: failureOf(131042) };
  pricing.wasSent(number.id, send.waId, { price, nowMs });
  return { ...outcome, price };
}

function answerOf(
  wamid: string,
  { input, waId, byUserId, template }: CheckedSend,
  messageStatus: HeldStatus | 'accepted' = 'accepted',
): UpstreamSendResponse {
  return {
    messaging_product: 'whatsapp',
    contacts: [byUserId ? { input, user_id: input } : { input, wa_id: waId }],
    messages: [{ id: wamid, ...(template && { message_status: messageStatus }) }],
  };
}

/**
 * Marks a message as read, optionally with a typing indicator, as the customer's phone would show it.
 * @throws GraphError for another status, or for a message that no customer sent to the number
 */
export function markRead(world: World, number: BusinessNumber, body: JsonObject): { success: true } {
  checkProduct(body);
  if (body.status !== 'read') throw invalidParameter('Param status must be one of {READ}.');
  const { message_id: wamid, typing_indicator: typing } = body;
  if (typeof wamid !== 'string') throw invalidParameter('The parameter message_id is required.');
  if (!wamid.startsWith('wamid.')) throw refusal(131009, 'Param message_id is not a valid message id');
  if (typing !== undefined && !(isObject(typing) && typing.type === 'text'))
    throw invalidParameter("Param typing_indicator['type'] must be one of {TEXT}.");
  const read = world.inbound.markRead(wamid, { phoneNumberId: number.id, at: new Date().toISOString() });
  if (!read) throw refusal(131009, `Message ${wamid} is not one that was sent to this number`);
  if (typing !== undefined) world.typing.begin(number.id, read.from, Date.now());
  return { success: true };
}
