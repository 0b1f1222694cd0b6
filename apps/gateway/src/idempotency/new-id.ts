import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { newId } from '@switchboard/contracts';
import type { FastifyRequest } from 'fastify';
import type { NewIdFunction } from './derived-ids';

/**
 * How a POST handler makes the ids of what it creates: repeated with its Idempotency-Key after a crash, a request makes
 * the same ones, and whoever is asked to do it again knows it by them.
 */
export const NewId = createParamDecorator((_: unknown, context: ExecutionContext): NewIdFunction => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  // Looked up at each call: a multipart handler takes the key only when it has read the body.
  return (prefix) => {
    const id = (request.idempotencyClaim?.newId ?? newId)(prefix);
    if (prefix === 'msg') request.messageId = id;
    return id;
  };
});
