import { readUrl } from '@switchboard/upstream';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ControlError } from './control-error';

export type ControlAccess = 'loopback' | 'any';

const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Rejects control calls from other hosts (unless access is `any`), and from pages of other sites, with 403. */
export function guardControl(app: FastifyInstance, access: ControlAccess): void {
  app.addHook('onRequest', async (request) => {
    if (access === 'loopback' && !isLocal(request)) {
      throw new ControlError(
        'the control API answers on this machine only; SIMULATOR_CONTROL_ACCESS=any opens it',
        403,
      );
    }
    // A page of another site can send POST requests here through the visitor's browser, which adds the page's origin.
    const { origin } = request.headers;
    if (origin !== undefined && !isSameSite(origin, request.headers.host))
      throw new ControlError('calls from other sites are refused', 403);
  });
}

/** Checks the host name as well as the address, because DNS rebinding would pass a check of the address alone. */
function isLocal({ socket, headers }: FastifyRequest): boolean {
  const address = socket.remoteAddress ?? '';
  const isLoopback = address === '::1' || (isIP(address) !== 0 && /^(::ffff:)?127\./.test(address));
  return isLoopback && LOCAL_NAMES.includes((headers.host ?? '').replace(/:\d+$/, ''));
}

function isSameSite(origin: string, host: string | undefined): boolean {
  return readUrl(origin)?.host === host;
}
