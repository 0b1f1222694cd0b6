import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphCall } from '../graph-call';
import { GraphError, invalidParameter, refusal, titleOf, unknownObject } from '../graph-error';
import { isObject, type JsonObject } from '../json';
import { checkProduct } from '../product';
import type { BusinessNumber } from '../numbers/number-store';
import type { World } from '../world';
import { userIdOf, waIdOf, waIdOfUser } from '../customers/identity';

const MAX_USERS = 1_000;
const DEFAULT_LIMIT = 25;
const NOT_ALL_DONE = 139100;
const LIST_FULL = 139101;

interface Problem {
  message: string;
  code: number;
  error_data: { details: string };
}

interface NamedUser {
  input: string;
  /** Undefined for input that is neither a phone number nor a user id. */
  waId?: string;
  byUserId: boolean;
}

/** Registers `/{phone-number-id}/block_users`: block, unblock and list users. */
export function registerBlockList(app: FastifyInstance, world: World): void {
  app.get<GraphCall>('/:id/block_users', async (request) => listBlocked(world, request));
  app.post<GraphCall>('/:id/block_users', async (request, reply) => {
    const number = numberOf(world, request);
    return answer(reply, 'added_users', readUsers(request.body), (waId) => block(world, number, waId));
  });
  app.delete<GraphCall>('/:id/block_users', async (request, reply) => {
    const number = numberOf(world, request);
    return answer(reply, 'removed_users', readUsers(request.body), (waId) => {
      world.customers.blocked.unblock(number.id, waId);
      return undefined;
    });
  });
}

/** Blocks a user, who must have written within 24 hours. @returns the reason if the user was not blocked */
function block({ customers }: World, { id }: BusinessNumber, waId: string): Problem | undefined {
  if (!customers.hasOpenWindow(id, waId, Date.now()))
    return problem(131047, titleOf(131047), 'The user has not messaged this number in the last 24 hours');
  if (!customers.blocked.block(id, waId)) return problem(LIST_FULL, 'Blocklist limit reached', 'The blocklist is full');
  return undefined;
}

/** Builds the response, with a result per user. If any user failed, the whole call returns 400. */
function answer(
  reply: FastifyReply,
  list: 'added_users' | 'removed_users',
  users: readonly NamedUser[],
  change: (waId: string) => Problem | undefined,
): FastifyReply {
  const done: JsonObject[] = [];
  const failed: JsonObject[] = [];
  for (const user of users) {
    const failure = user.waId ? change(user.waId) : problem(131009, titleOf(131009), 'No phone number and no user id');
    if (failure) failed.push({ ...shown(user), errors: [failure] });
    else done.push(shown(user));
  }
  const results = {
    messaging_product: 'whatsapp',
    block_users: { [list]: done, ...(failed.length > 0 && { failed_users: failed }) },
  };
  if (failed.length === 0) return reply.send(results);
  const details = 'Failed to block some users, see the block_users response list for details';
  const error = new GraphError(NOT_ALL_DONE, '(#139100) Failed to block/unblock users', { details });
  return reply.code(error.httpStatus).send({ ...results, ...error.toBody() });
}

const shown = ({ input, waId, byUserId }: NamedUser): JsonObject => ({
  input,
  ...(waId !== undefined && (byUserId ? { user_id: input } : { wa_id: waId })),
});

const problem = (code: number, title: string, details: string): Problem => ({
  message: `(#${code}) ${title}`,
  code,
  error_data: { details },
});

function readUsers(body: unknown): NamedUser[] {
  if (!isObject(body)) throw invalidParameter('The body must be a JSON object.');
  checkProduct(body);
  const { block_users: users } = body;
  if (!Array.isArray(users) || !users.every(isObject)) throw invalidParameter('The parameter block_users is required.');
  if (users.length > MAX_USERS) throw invalidParameter(`Param block_users must have at most ${MAX_USERS} elements.`);
  return users.map(readUser);
}

/** Parses a phone number in any common format, or a user id. */
function readUser({ user, user_id: userId }: JsonObject): NamedUser {
  if (typeof user !== 'string') {
    const input = typeof userId === 'string' ? userId : '';
    return { input, waId: waIdOfUser(input), byUserId: true };
  }
  const digits = /^[+\d][\d\s()-]*$/.test(user) ? user.replace(/\D/g, '') : '';
  return { input: user, waId: /^[1-9]\d{7,14}$/.test(digits) ? waIdOf(digits) : undefined, byUserId: false };
}

function listBlocked(world: World, request: FastifyRequest<GraphCall>): object {
  const { limit = String(DEFAULT_LIMIT), after } = request.query;
  const blocked = world.customers.blocked.of(numberOf(world, request).id);
  const start = after === undefined ? 0 : blocked.findIndex((waId) => cursorOf(waId) === after) + 1;
  if (after !== undefined && start === 0) throw refusal(131059);
  const most = /^[1-9]\d{0,2}$/.test(limit) ? Number(limit) : DEFAULT_LIMIT;
  const page = blocked.slice(start, start + most);
  const [first, last] = [page[0], page.at(-1)];
  if (first === undefined || last === undefined) return { data: [] };
  return {
    data: page.map((waId) => ({
      messaging_product: 'whatsapp',
      ...(!world.customers.people.find(waId)?.hidesPhone && { wa_id: waId }),
      user_id: userIdOf(waId),
    })),
    paging: { cursors: { before: cursorOf(first), after: cursorOf(last) } },
  };
}

const cursorOf = (waId: string): string => Buffer.from(`QVF:${waId}`).toString('base64url');

function numberOf({ numbers }: World, { params, method }: FastifyRequest<GraphCall>): BusinessNumber {
  const number = numbers.byId(params.id);
  if (!number) throw unknownObject(params.id, method);
  return number;
}
