import type { FastifyInstance } from 'fastify';
import { RECEIVER_PATH } from '../receiver/receiver-routes';
import type { ReceivedRequest } from '../receiver/received-requests';
import { judge } from '../receiver/signatures';
import type { World } from '../world';
import { ControlError, objectOf, textOf } from './control-error';

const MAX_TOKEN_CHARACTERS = 256;
const DEFAULT_LIMIT = 25;
const SHOWN_BODY = 65_536;

/** Registers control of the webhook receiver: its URL, verify token, and received requests with verified signatures. */
export function registerReceiverControl(app: FastifyInstance, world: World): void {
  const { received, settings } = world;
  app.get('/receiver', async ({ protocol, host }) => ({
    url: `${settings.baseUrl ?? `${protocol}://${host}`}${RECEIVER_PATH}`,
    verifyToken: received.verifyToken,
  }));
  app.post('/receiver', async ({ body }) => {
    const token = textOf(objectOf(body).verifyToken);
    if (token === undefined || token.length > MAX_TOKEN_CHARACTERS)
      throw new ControlError(`verifyToken: 1 to ${MAX_TOKEN_CHARACTERS} characters are required`);
    received.verifyToken = token;
    return { verifyToken: token };
  });
  // Use POST, because a secret must not appear in a URL.
  app.post('/receiver/requests', async ({ body }) => {
    const { secret = '', limit = DEFAULT_LIMIT } = objectOf(body);
    if (typeof secret !== 'string') throw new ControlError('secret: a text is required');
    if (!Number.isInteger(limit) || Number(limit) < 1)
      throw new ControlError('limit: a positive whole number is required');
    const requests = received.list();
    return {
      total: requests.length,
      requests: requests.slice(0, Number(limit)).map((request) => shown(request, secret)),
    };
  });
  app.post('/receiver/clear', async () => {
    received.clear();
    return { cleared: true };
  });
}

function shown(request: ReceivedRequest, secret: string): object {
  const text = request.body.toString('utf8');
  return {
    ...request,
    body: text.slice(0, SHOWN_BODY),
    bytes: request.body.length,
    isCut: text.length > SHOWN_BODY,
    ...(request.method === 'POST' && judge(request, secret.trim())),
  };
}
