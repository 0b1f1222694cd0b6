import { createHash } from 'node:crypto';
import { AppError } from '@switchboard/contracts';
import type { FastifyInstance } from 'fastify';

/** Deeper JSON than any request needs would overflow the stack of whoever walks it. */
const MAX_DEPTH = 64;
const [QUOTE, BACKSLASH, OPEN_BRACE, OPEN_BRACKET, CLOSE_BRACE, CLOSE_BRACKET] = [...'"\\{[}]'].map((character) => character.charCodeAt(0));

/** Whether JSON text nests arrays and objects deeper than the limit; looks at brackets outside of strings only. */
export function isNestedTooDeeply(json: Uint8Array, maxDepth = MAX_DEPTH): boolean {
  let depth = 0;
  let inString = false;
  for (let position = 0; position < json.length; position += 1) {
    const byte = json[position];
    if (inString) {
      if (byte === BACKSLASH) position += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
  }
  return false;
}

/** Leaves out the members that are null, at any depth: for a request they are absent, and no reader has to know of both. Changes the value. */
export function withoutNulls<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const [name, member] of Object.entries(value)) {
    if (member === null && !Array.isArray(value)) delete (value as Record<string, unknown>)[name];
    else withoutNulls(member);
  }
  return value;
}

/**
 * Takes JSON and nothing else. Routes with `rawBody` get the bytes as they came, for signatures.
 * `__proto__` and `constructor.prototype` are left out while parsing.
 */
export function useJsonParser(fastify: FastifyInstance): void {
  const parseJson = fastify.getDefaultJsonParser('remove', 'remove');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const { 'content-encoding': encoding = 'identity' } = request.headers;
    if (encoding !== 'identity') return done(new AppError('UNSUPPORTED_MEDIA_TYPE', { message: 'compressed bodies are not supported' }));
    const { rawBody, takesBody } = request.routeOptions.config;
    if (rawBody) return done(null, body);
    if (body.length === 0 && !takesBody) return done(null, undefined);
    if (request.headers['idempotency-key'] !== undefined) request.bodyHash = createHash('sha256').update(body).digest();
    if (isNestedTooDeeply(body)) {
      return done(new AppError('INVALID_JSON', { message: `the body is not valid JSON: it is nested deeper than ${MAX_DEPTH} levels` }));
    }
    return parseJson(request, body.toString('utf8'), (error, value) => done(error, withoutNulls(value)));
  });
}
