import type { FastifyInstance } from 'fastify';
import { ONBOARDING_STATES, WABA_ID } from '../numbers/business-store';
import { type BusinessNumber, QUALITY_RATINGS, THROUGHPUT_LEVELS, TIERS } from '../numbers/number-store';
import type { World } from '../world';
import { ControlError, objectOf, oneOf, textOf } from './control-error';

const OLD_QUALITY_EVENTS = ['FLAGGED', 'UNFLAGGED', 'UPGRADE', 'DOWNGRADE'] as const;

const REGISTRATION_CODES = [133000, 133004, 133005, 133006, 133008, 133009, 133015, 133016];
const MARKETING_CODES = [100, 131009, 131049, 131055, 134100, 134101, 134102];
const NAME_STATES = ['APPROVED', 'AVAILABLE_WITHOUT_REVIEW', 'PENDING_REVIEW', 'DECLINED', 'EXPIRED', 'NONE'] as const;
const ID = /^\d{5,20}$/;

type Call = { Params: { phoneNumber: string } };

export function registerNumberControl(app: FastifyInstance, world: World): void {
  app.post('/numbers', async ({ body }) => addNumber(world, objectOf(body)));
  app.post<Call>('/numbers/:phoneNumber/quality', async ({ params, body }) => {
    const number = find(world, params.phoneNumber);
    const { rating, event } = objectOf(body);
    number.graph.quality_rating = oneOf('rating', QUALITY_RATINGS, rating);
    // The platform no longer announces quality changes, which appear only when the number is read. The old event is
    // optional.
    if (event !== undefined) emitNumberEvent(world, number, oneOf('event', OLD_QUALITY_EVENTS, event));
    return { phoneNumber: number.displayDigits, rating };
  });
  app.post<Call>('/numbers/:phoneNumber/throughput', async ({ params, body }) => {
    const number = find(world, params.phoneNumber);
    const level = oneOf('level', THROUGHPUT_LEVELS, objectOf(body).level);
    number.graph.throughput = { level };
    if (level === 'HIGH') emitNumberEvent(world, number, 'THROUGHPUT_UPGRADE');
    return { phoneNumber: number.displayDigits, level };
  });
  app.post<Call>('/numbers/:phoneNumber/tier', async ({ params, body }) => {
    const number = find(world, params.phoneNumber);
    const tier = oneOf('tier', TIERS, objectOf(body).tier);
    world.portfolios.setTier(world.portfolios.portfolioOf(number.wabaId), tier);
    return { phoneNumber: number.displayDigits, tier };
  });
  app.post<Call>('/numbers/:phoneNumber/registration', async ({ params, body }) =>
    changeRegistration(world, params.phoneNumber, objectOf(body)),
  );
  app.post<{ Params: { id: string } }>('/businesses/:id/marketing', async ({ params, body }) =>
    changeMarketing(world, params.id, objectOf(body)),
  );
  app.post<{ Params: { id: string } }>('/businesses/:id/payment', async ({ params, body }) =>
    changePayment(world, params.id, objectOf(body)),
  );
  app.post<Call>('/numbers/:phoneNumber/name', async ({ params, body }) => {
    const number = find(world, params.phoneNumber);
    const status = oneOf('status', NAME_STATES, objectOf(body).status);
    number.graph.name_status = status;
    return { phoneNumber: number.displayDigits, status };
  });
}

function find({ numbers }: World, phoneNumber: string): BusinessNumber {
  const number = numbers.find(phoneNumber);
  if (!number) throw new ControlError('no such business number', 404);
  return number;
}

function addNumber({ numbers, businesses, templates }: World, body: Record<string, unknown>): object {
  const { id, phoneNumber, verifiedName, wabaId = WABA_ID, portfolioId, registered = true } = body;
  const digits = String(phoneNumber ?? '').replace(/^\+/, '');
  if (!/^[1-9]\d{7,14}$/.test(digits)) throw new ControlError('phoneNumber: 8 to 15 digits are required');
  for (const [name, given] of Object.entries({ id, wabaId, ...(portfolioId !== undefined && { portfolioId }) }))
    if (!ID.test(String(given ?? ''))) throw new ControlError(`${name}: 5 to 20 digits are required`);
  if (typeof registered !== 'boolean') throw new ControlError('registered: true or false');
  const isNew = !businesses.byId(String(wabaId));
  if (!businesses.ensure(String(wabaId), textOf(portfolioId)))
    throw new ControlError('wabaId: there are too many business accounts', 409);
  if (isNew) templates.addSample(String(wabaId));
  const added = numbers.add({
    id: String(id),
    displayDigits: digits,
    verifiedName: textOf(verifiedName) ?? 'Switchboard Demo',
    wabaId: String(wabaId),
    isRegistered: registered,
  });
  if (!added) throw new ControlError('id or phoneNumber: taken, or there are too many numbers', 409);
  return added.graph;
}

/** Prepares a registration to fail: another PIN, an expired verification, or an error code for the next call. */
function changeRegistration(world: World, phoneNumber: string, body: Record<string, unknown>): object {
  const number = find(world, phoneNumber);
  const { pin, verified = true, failsWith } = body;
  if (pin !== undefined && !/^\d{6}$/.test(String(pin))) throw new ControlError('pin: 6 digits are required');
  if (failsWith !== undefined && !REGISTRATION_CODES.some((code) => code === failsWith))
    throw new ControlError(`failsWith: one of ${REGISTRATION_CODES.join(', ')} is required`);
  const { registration, graph } = number;
  if (pin !== undefined) registration.pin = String(pin);
  Object.assign(registration, { wrongGuesses: 0, callsAt: [], failsWith });
  graph.code_verification_status = verified === false ? 'EXPIRED' : 'VERIFIED';
  return graph;
}

/**
 * Sets the onboarding state of a business for the Marketing Messages API, and the code with which that API rejects its
 * sends.
 */
function changeMarketing({ businesses, callbacks }: World, id: string, body: Record<string, unknown>): object {
  const business = businesses.byId(id);
  if (!business) throw new ControlError('no such business account', 404);
  const status = oneOf('status', ONBOARDING_STATES, body.status);
  const failsWith = MARKETING_CODES.find((code) => code === body.failsWith);
  if (body.failsWith !== undefined && failsWith === undefined)
    throw new ControlError(`failsWith: one of ${MARKETING_CODES.join(', ')} is required`);
  business.graph.marketing_messages_onboarding_status = status;
  business.marketingFailsWith = failsWith;
  if (status === 'ONBOARDED')
    callbacks.emit({
      kind: 'change',
      wabaId: id,
      time: Math.floor(Date.now() / 1_000),
      field: 'account_update',
      value: { event: 'MM_LITE_TERMS_SIGNED', waba_info: { owner_business_id: id, waba_id: id } },
    });
  return { id, status, failsWith: failsWith ?? null };
}

/** Sets whether the platform can charge a business. If not, messages that are not free fail with 131042. */
function changePayment({ businesses }: World, id: string, { valid }: Record<string, unknown>): object {
  const business = businesses.byId(id);
  if (!business) throw new ControlError('no such business account', 404);
  if (typeof valid !== 'boolean') throw new ControlError('valid: true or false');
  business.canPay = valid;
  return { id, valid };
}

function emitNumberEvent({ callbacks }: World, { wabaId, displayDigits, graph }: BusinessNumber, event: string): void {
  const limit = graph.whatsapp_business_manager_messaging_limit;
  const value = {
    display_phone_number: displayDigits,
    event,
    current_limit: limit,
    max_daily_conversations_per_business: limit,
  };
  callbacks.emit({
    kind: 'change',
    wabaId,
    time: Math.floor(Date.now() / 1_000),
    field: 'phone_number_quality_update',
    value,
  });
}
