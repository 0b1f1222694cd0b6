import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GraphCall } from '../graph-call';
import { invalidParameter, unknownObject } from '../graph-error';
import { isObject, type JsonObject, pickFields } from '../json';
import { checkProduct } from '../product';
import type { World } from '../world';
import type { Business } from './business-store';
import { type BusinessNumber, DEFAULT_NUMBER_FIELDS } from './number-store';
import { changeProfile, showProfile } from './profile';
import { deregister, register } from './registration';
import { deleteUsername, setUsername, showUsername } from './username';

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;

/** Registers the setup of numbers: registration, profile, and the subscription of their business account. */
export function registerNumberSetup(app: FastifyInstance, world: World): void {
  app.get<GraphCall>('/:id/phone_numbers', async (request) => listNumbers(world, request));
  app.post<GraphCall>('/:id/register', async (request) =>
    register(findNumber(world, request), setupBody(request), Date.now()),
  );
  app.post<GraphCall>('/:id/deregister', async (request) => deregister(findNumber(world, request), Date.now()));
  app.get<GraphCall>('/:id/whatsapp_business_profile', async (request) =>
    showProfile(findNumber(world, request).profile, request.query.fields),
  );
  app.post<GraphCall>('/:id/whatsapp_business_profile', async (request) =>
    changeProfile(findNumber(world, request).profile, setupBody(request)),
  );
  app.get<GraphCall>('/:id/username', async (request) => showUsername(findNumber(world, request)));
  app.post<GraphCall>('/:id/username', async (request) =>
    setUsername(world.numbers.all(), findNumber(world, request), request.body),
  );
  app.delete<GraphCall>('/:id/username', async (request) => deleteUsername(findNumber(world, request)));
  registerSubscription(app, world);
}

/** Registers `/{waba-id}/subscribed_apps`, which subscribes the app to the callbacks of a business account. */
function registerSubscription(app: FastifyInstance, world: World): void {
  app.get<GraphCall>('/:id/subscribed_apps', async (request) => {
    const { isSubscribed } = findBusiness(world, request);
    return { data: isSubscribed ? [{ whatsapp_business_api_data: world.app.shown() }] : [] };
  });
  app.post<GraphCall>('/:id/subscribed_apps', async (request) => {
    const business = findBusiness(world, request);
    if (isObject(request.body) && request.body.override_callback_uri !== undefined)
      throw invalidParameter('Param override_callback_uri: the simulator has one callback address for all numbers.');
    business.isSubscribed = true;
    return { success: true };
  });
  app.delete<GraphCall>('/:id/subscribed_apps', async (request) => {
    findBusiness(world, request).isSubscribed = false;
    return { success: true };
  });
}

/** Handles `GET /{phone-number-id}`. */
export function numberObject({ settings }: World, { graph }: BusinessNumber, fields: string | undefined): object {
  const webhook_configuration = { application: settings.callbackUrl };
  return pickFields({ ...graph, webhook_configuration }, fields ?? DEFAULT_NUMBER_FIELDS);
}

function listNumbers(world: World, request: FastifyRequest<GraphCall>): object {
  const business = findBusiness(world, request);
  const { fields, after, limit } = request.query;
  const all = world.numbers.all().filter(({ wabaId }) => wabaId === business.id);
  const start = after === undefined ? 0 : all.findIndex(({ id }) => cursorOf(id) === after) + 1;
  const most = Math.min(Math.max(1, Number(limit ?? DEFAULT_LIMIT) || DEFAULT_LIMIT), MAX_LIMIT);
  const page = all.slice(start, start + most);
  const [first, last] = [page[0], page.at(-1)];
  if (!first || !last) return { data: [] };
  const cursors = { before: cursorOf(first.id), after: cursorOf(last.id) };
  return {
    data: page.map((number) => numberObject(world, number, fields)),
    paging: { cursors, ...(start + most < all.length && { next: nextUrl(request, cursors.after) }) },
  };
}

const cursorOf = (id: string): string => Buffer.from(`QVF:${id}`).toString('base64url');

function nextUrl(request: FastifyRequest, after: string): string {
  const url = new URL(request.url, `${request.protocol}://${request.host}`);
  url.searchParams.set('after', after);
  return url.href;
}

function findNumber({ numbers }: World, { params, method }: FastifyRequest<GraphCall>): BusinessNumber {
  const number = numbers.byId(params.id);
  if (!number) throw unknownObject(params.id, method);
  return number;
}

function findBusiness({ businesses }: World, { params, method }: FastifyRequest<GraphCall>): Business {
  const business = businesses.byId(params.id);
  if (!business) throw unknownObject(params.id, method);
  return business;
}

function setupBody({ body }: FastifyRequest): JsonObject {
  if (!isObject(body)) throw invalidParameter('The body must be a JSON object.');
  checkProduct(body);
  return body;
}
