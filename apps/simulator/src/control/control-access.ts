import { readUrl } from '@switchboard/upstream';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ControlError } from './control-error';

/** Who may use the control API: programs on the same machine, or anyone. */
export type ControlAccess = 'loopback' | 'any';

const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Rejects control calls with 403 from other machines (unless access is `any`), and from pages of other sites. */
export function guardControl(app: FastifyInstance, access: ControlAccess): void {
  app.addHook('onRequest', async (request) => {
    if (access === 'loopback' && !isLocal(request)) {
      throw new ControlError(
        'the control API answers on this machine only; SIMULATOR_CONTROL_ACCESS=any opens it',
        403,
      );
    }
    // A page of another site can post here through the visitor's browser, which sends its origin.
    const { origin } = request.headers;
    if (origin !== undefined && !isSameSite(origin, request.headers.host))
      throw new ControlError('calls from other sites are refused', 403);
  });
}

/** Checks the address and the host name: DNS rebinding would pass a check of the address alone. */
function isLocal({ socket, headers }: FastifyRequest): boolean {
  const address = socket.remoteAddress ?? '';
  const isLoopback = address === '::1' || (isIP(address) !== 0 && /^(::ffff:)?127\./.test(address));
  return isLoopback && LOCAL_NAMES.includes((headers.host ?? '').replace(/:\d+$/, ''));
}

function isSameSite(origin: string, host: string | undefined): boolean {
  return readUrl(origin)?.host === host;
}
