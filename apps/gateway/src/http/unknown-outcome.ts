import { AppError, ERRORS } from '@switchboard/contracts';
import type { FastifyRequest } from 'fastify';
import type { RouteTable } from './route-table';

const SHOWS = 'shows whether it was: check before you repeat it';
/** Where a read above the route would be the wrong one, or there is none. */
const CHECKS: Readonly<Record<string, string>> = {
  '/v1/messages/send': `GET /v1/messages/{id} ${SHOWS}`,
  '/v1/messages/send/bulk': `GET /v1/jobs ${SHOWS}`,
  '/v1/messages/send/bulk/excel': `GET /v1/jobs ${SHOWS}`,
  '/v1/otp/verify': 'If a repeat is refused, the code may have been verified: send a new one',
};
const MAY_BE_DONE = 'the outcome is unknown: the request may have been carried out';

/**
 * Says what a caller can do about an unknown outcome: repeat the request with the same key, or check first, and where.
 * @returns the error with more words; any other error as it is
 */
export function withNextStep(error: AppError, request: FastifyRequest, routes: RouteTable): AppError {
  if (error.code !== 'OUTCOME_UNKNOWN' || error.message !== ERRORS.OUTCOME_UNKNOWN.message) return error;
  const { details, retryAfterSeconds, extra, cause } = error;
  const message = `${MAY_BE_DONE}. ${nextStep(request, routes)}`;
  return new AppError('OUTCOME_UNKNOWN', { message, details, retryAfterSeconds, extra, cause });
}

function nextStep({ idempotencyClaim, routeOptions: { url = '' } }: FastifyRequest, routes: RouteTable): string {
  if (idempotencyClaim) return 'Repeat it with the same Idempotency-Key: it is not carried out twice';
  const read = routes.readAbove(url)?.replace(/:(\w+)/g, '{$1}');
  const check = read === undefined ? 'Check before you repeat it' : `GET ${read} ${SHOWS}`;
  return CHECKS[url] ?? check;
}
