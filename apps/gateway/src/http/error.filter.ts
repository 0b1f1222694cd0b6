import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import { AppError, ERRORS, notFound } from '@switchboard/contracts';
import { LOGGER, type Logger } from '@switchboard/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StoredResponse } from './stored-response';
import { errorResponse } from './error-response';
import { toAppError } from './framework-errors';
import { pathOf, RouteTable } from './route-table';
import { sizeText } from './size-text';

const SHOWS = 'shows whether it was: check before you repeat it';
/** Advice on where to check an outcome, for routes whose nearest GET route above is unsuitable or missing. */
const CHECKS: Readonly<Record<string, string>> = {
  '/v1/messages/send': `GET /v1/messages/{id} ${SHOWS}`,
  '/v1/messages/send/bulk': `GET /v1/jobs ${SHOWS}`,
  '/v1/messages/send/bulk/excel': `GET /v1/jobs ${SHOWS}`,
  '/v1/otp/verify': 'If a repeat is refused, the code may have been verified: send a new one',
};
const MAY_BE_DONE = 'the outcome is unknown: the request may have been carried out';

/**
 * Adds the next step to an unknown outcome: repeat the request with the same key, or check the outcome first.
 * @returns the extended error; other errors unchanged
 */
function withNextStep(error: AppError, request: FastifyRequest, routes: RouteTable): AppError {
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

/**
 * Maps errors of handlers, guards, pipes and hooks to HTTP responses. Registered as the global filter (`APP_FILTER` of
 * `HttpModule`). `toAppError` maps errors of Nest, Fastify and the database to the codes in the contracts' `errors.ts`;
 * `errorResponse` builds status, headers and body. `broken-requests.ts` handles bytes that Fastify cannot parse as
 * HTTP.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly routes: RouteTable,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (thrown instanceof StoredResponse) return replay(thrown, reply);
    const found = toAppError(thrown);
    const error = this.isUnrouted(found, request) ? this.unrouted(request) : this.named(found, request);
    // A 405 lists the path's other methods (spec §6.2.3).
    if (error.code === 'METHOD_NOT_ALLOWED') reply.header('allow', this.otherMethods(request).join(', '));
    request.errorCode = error.code;
    // The cause appears only in the log, never in the response.
    if (error.status >= 500)
      this.logger.error({ err: error.cause ?? error, code: error.code, requestId: request.id }, 'request.failed');
    const { status, headers, body } = errorResponse(error, request.id);
    if (reply.raw.headersSent) return void reply.raw.destroy();
    void reply.status(status).headers(headers).type('application/json; charset=utf-8').send(body);
  }

  /** Adds details from the request: the body limit, and the next step after an unknown outcome. */
  private named(error: AppError, request: FastifyRequest): AppError {
    return withNextStep(limitNamed(error, request), request, this.routes);
  }

  /** Suggests the same route with `/v1` or without the trailing slash. */
  private meant(request: FastifyRequest): string {
    const path = pathOf(request).replace(/\/$/, '');
    const found = [path, `/v1${path}`].find((each) => this.routes.methodsOf(each).includes(request.method));
    return found === undefined ? '' : `; did you mean ${shortened(found)}?`;
  }

  /**
   * Checks whether a 404 means that no route has this path and method. The path may also name a route with other
   * methods, which another route interpreted as an id, as in `GET /v1/messages/send`.
   */
  private isUnrouted({ code }: AppError, request: FastifyRequest): boolean {
    return code === 'NOT_FOUND' && !this.routes.methodsOf(pathOf(request)).includes(request.method);
  }

  /** Returns a 405 error if the path has another method, otherwise a 404 error. */
  private unrouted(request: FastifyRequest): AppError {
    const methods = this.otherMethods(request);
    if (methods.length === 0)
      return notFound(`route: ${request.method} ${shortened(pathOf(request))}${this.meant(request)}`);
    return new AppError('METHOD_NOT_ALLOWED', { message: `method not allowed: use ${methods.join(' or ')}` });
  }

  private otherMethods(request: FastifyRequest): string[] {
    return this.routes.methodsOf(pathOf(request)).filter((method) => method !== request.method);
  }
}

const SHOWN_CHARACTERS = 100;
const shortened = (path: string): string =>
  path.length > SHOWN_CHARACTERS ? `${path.slice(0, SHOWN_CHARACTERS)}…` : path;

/** Sends the stored response again (spec §4.1.2). */
function replay({ status, body }: StoredResponse, reply: FastifyReply): void {
  void reply.status(status).header('idempotency-replay', 'true').type('application/json; charset=utf-8').send(body);
}

function limitNamed(error: AppError, request: FastifyRequest): AppError {
  // Errors of uploaded files already name the limit.
  if (error.code !== 'PAYLOAD_TOO_LARGE' || error.message !== ERRORS.PAYLOAD_TOO_LARGE.message) return error;
  const most = sizeText(request.routeOptions.bodyLimit ?? 0);
  return new AppError('PAYLOAD_TOO_LARGE', { message: `the body is too large: at most ${most}`, cause: error.cause });
}
