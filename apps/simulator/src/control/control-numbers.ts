import type { FastifyInstance } from 'fastify';
import { type BusinessNumber, QUALITY_RATINGS, THROUGHPUT_LEVELS, TIERS } from '../numbers/number-store';
import type { World } from '../world';
import { ControlError, objectOf, oneOf, textOf } from './control-error';

const OLD_QUALITY_EVENTS = ['FLAGGED', 'UNFLAGGED', 'UPGRADE', 'DOWNGRADE'] as const;

type Call = { Params: { phoneNumber: string } };

/** The business numbers: add one, change its quality, throughput and tier. */
export function registerNumberControl(app: FastifyInstance, world: World): void {
  app.post('/numbers', async ({ body }) => addNumber(world, objectOf(body)));
  app.post<Call>('/numbers/:phoneNumber/quality', async ({ params, body }) => {
    const number = find(world, params.phoneNumber);
    const { rating, event } = objectOf(body);
    number.graph.quality_rating = oneOf('rating', QUALITY_RATINGS, rating);
    // The platform announces no change of quality any more, it shows when the number is read; it used to, so on demand.
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
    // The tier belongs to the whole portfolio.
    for (const { graph } of world.numbers.all()) graph.whatsapp_business_manager_messaging_limit = tier;
    return { phoneNumber: number.displayDigits, tier };
  });
}

function find({ numbers }: World, phoneNumber: string): BusinessNumber {
  const number = numbers.find(phoneNumber);
  if (!number) throw new ControlError('no such business number', 404);
  return number;
}

function addNumber({ numbers }: World, { id, phoneNumber, verifiedName }: Record<string, unknown>): object {
  const digits = String(phoneNumber ?? '').replace(/^\+/, '');
  if (!/^[1-9]\d{7,14}$/.test(digits)) throw new ControlError('phoneNumber: 8 to 15 digits are required');
  if (!/^\d{5,20}$/.test(String(id ?? ''))) throw new ControlError('id: 5 to 20 digits are required');
  const added = numbers.add({
    id: String(id),
    displayDigits: digits,
    verifiedName: textOf(verifiedName) ?? 'Switchboard Demo',
  });
  if (!added) throw new ControlError('id or phoneNumber: taken, or there are too many numbers', 409);
  return added.graph;
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
