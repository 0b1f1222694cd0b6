import { AppError } from '@switchboard/contracts';
import type { FastifyInstance } from 'fastify';
import { isForm } from './form-reader';

/** Deadline for receiving the whole body, in milliseconds. Forms with files have their own deadline. */
export const BODY_DEADLINE_MS = 30_000;

/** Rejects bodies that do not arrive within the deadline. */
export function limitBodyTime(fastify: FastifyInstance, deadlineMs = BODY_DEADLINE_MS): void {
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    done(null);
    if (request.raw.complete || (request.routeOptions.config.takesForms && isForm(request))) return;
    const refuse = (): boolean =>
      payload.emit('error', new AppError('INVALID_PARAMETER', { message: 'the request did not arrive in time' }));
    const timer = setTimeout(refuse, deadlineMs);
    for (const event of ['end', 'close', 'error']) payload.once(event, () => clearTimeout(timer));
  });
}
