import { applyDecorators, type ArgumentsHost, Catch, type ExceptionFilter, UseFilters } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import type { CommandContract, EventContract, TaskContract } from '@switchboard/contracts';
import { type Observable, throwError } from 'rxjs';
import type { Delivery } from './delivery';

/**
 * Passes a handler's error to the transport unchanged. Nest's own filter would replace it with "Internal server error".
 */
@Catch()
class KeepErrors implements ExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): Observable<never> {
    return throwError(() => error);
  }
}

/** Generic over the method type, to accept methods without a delivery parameter. */
type HandlerDecorator<Body, Result> = <Handler extends (body: Body, delivery: Delivery) => Result | Promise<Result>>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Handler>,
) => void;

/** Marks the handler of a command. Its return value is the reply; an AppError that it throws is the error reply. */
export function CommandHandler<Request extends object, Response extends object>(
  contract: CommandContract<Request, Response>,
): HandlerDecorator<Request, Response> {
  return handles(contract.name);
}

/**
 * Marks the handler of a task. Returning acknowledges the message, PermanentError dead-letters it, and any other error
 * schedules a retry.
 */
export function TaskHandler<Body extends object>(contract: TaskContract<Body>): HandlerDecorator<Body, unknown> {
  return handles(contract.name);
}

/** Marks the handler of an event. Acknowledgement and retries work as for {@link TaskHandler}. */
export function EventHandler<Body extends object>(contract: EventContract<Body>): HandlerDecorator<Body, unknown> {
  return handles(contract.name);
}

function handles(name: string): MethodDecorator {
  return applyDecorators(MessagePattern(name), UseFilters(KeepErrors));
}
