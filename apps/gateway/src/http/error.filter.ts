import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, NotFoundException } from '@nestjs/common';
import { AppError, ERRORS } from '@switchboard/contracts';
import { LOGGER, type Logger } from '@switchboard/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StoredAnswer } from './stored-answer';
import { errorAnswer } from './error-answer';
import { toAppError } from './framework-errors';
import { pathOf, RouteTable } from './route-table';
import { withNextStep } from './unknown-outcome';

/** The one way out for every failure, whether a handler, a hook or the framework threw it. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly routes: RouteTable,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (thrown instanceof StoredAnswer) return replay(thrown, reply);
    const error =
      thrown instanceof NotFoundException ? this.unrouted(request, reply) : this.named(toAppError(thrown), request);
    request.errorCode = error.code;
    // The cause is for us alone: the answer never shows it.
    if (error.status >= 500)
      this.logger.error({ err: error.cause ?? error, code: error.code, requestId: request.id }, 'request.failed');
    const { status, headers, body } = errorAnswer(error, request.id);
    if (reply.raw.headersSent) return void reply.raw.destroy();
    void reply.status(status).headers(headers).type('application/json; charset=utf-8').send(body);
  }

  /** With what only the request tells: the limit of its body, and what its caller can do about an unknown outcome. */
  private named(error: AppError, request: FastifyRequest): AppError {
    return withNextStep(limitNamed(error, request), request, this.routes);
  }

  /** No route has this path and method: 405 when another method would have done. */
  private unrouted(request: FastifyRequest, reply: FastifyReply): AppError {
    const methods = this.routes.methodsOf(pathOf(request));
    if (methods.length === 0 || methods.includes(request.method)) return new AppError('NOT_FOUND');
    reply.header('allow', methods.join(', '));
    return new AppError('METHOD_NOT_ALLOWED', { message: `method not allowed: use ${methods.join(' or ')}` });
  }
}

/** The answer that was given before (spec §4.1.2). */
function replay({ status, body }: StoredAnswer, reply: FastifyReply): void {
  void reply.status(status).header('idempotency-replay', 'true').type('application/json; charset=utf-8').send(body);
}

function limitNamed(error: AppError, request: FastifyRequest): AppError {
  // A file's limit is named already.
  if (error.code !== 'PAYLOAD_TOO_LARGE' || error.message !== ERRORS.PAYLOAD_TOO_LARGE.message) return error;
  const bytes = request.routeOptions.bodyLimit ?? 0;
  const most = bytes < 1_048_576 ? `${Math.round(bytes / 1_024)} KB` : `${Math.round(bytes / 1_048_576)} MB`;
  return new AppError('PAYLOAD_TOO_LARGE', { message: `the body is too large: at most ${most}`, cause: error.cause });
}
