import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { newId } from '@switchboard/contracts';
import type { FastifyRequest } from 'fastify';
import type { NewIdFunction } from './derived-ids';

/**
 * Injects a function that creates ids for a POST handler's new objects. A repeat with the same Idempotency-Key after a
 * crash gets the same ids, by which services recognise earlier work.
 */
export const NewId = createParamDecorator((_: unknown, context: ExecutionContext): NewIdFunction => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  // Evaluated per call, since a multipart handler claims the key only after reading the body.
  return (prefix) => {
    const id = (request.idempotencyClaim?.newId ?? newId)(prefix);
    if (prefix === 'msg') request.messageId = id;
    return id;
  };
});
