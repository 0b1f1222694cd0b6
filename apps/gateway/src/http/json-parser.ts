import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { AppError, ERRORS } from '@switchboard/contracts';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { countMembers, lostNames } from './lost-names';

/** Maximum nesting depth. Deeper JSON could overflow the stack of recursive code. */
const MAX_DEPTH = 64;
/** Maximum members of one object (spec §12.1.1). */
const MAX_MEMBERS = 1_000;
/** Maximum number of objects and lists in a body. A template message needs a few thousand at most. */
const MAX_CONTAINERS = 10_000;
/**
 * Bytes per additional object allowed in bodies with recipients. Each recipient has one or two objects and more bytes
 * than that.
 */
const BYTES_PER_CONTAINER = 16;
const [QUOTE, BACKSLASH, OPEN_BRACE, OPEN_BRACKET, CLOSE_BRACE, CLOSE_BRACKET, COLON] = [...'"\\{[}]:'].map(
  (character) => character.charCodeAt(0),
);

/** Bounds of a JSON text; absent bounds do not apply. */
export interface JsonBounds {
  depth?: number;
  members?: number;
  containers?: number;
}

/** Returns the name of the first bound that the JSON text exceeds, if any. */
export function boundExceeded(json: Uint8Array, bounds?: JsonBounds): keyof JsonBounds | undefined {
  return measure(json, bounds).exceeded;
}

/**
 * Counts the members of a JSON text and stops at the first exceeded bound. Scans the text before parsing, because
 * parsed objects with very many names cost far more memory than their text.
 */
function measure(
  json: Uint8Array,
  {
    depth: maxDepth = MAX_DEPTH,
    members: maxMembers = Infinity,
    containers: maxContainers = Infinity,
  }: JsonBounds = {},
): { exceeded?: keyof JsonBounds; total: number } {
  const members = new Uint32Array(Math.max(maxDepth, 0) + 1);
  let depth = 0;
  let containers = 0;
  let total = 0;
  for (let position = 0; position < json.length; position += 1) {
    const byte = json[position];
    if (byte === QUOTE) position = endOfString(json, position);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1;
      containers += 1;
      if (depth > maxDepth) return { exceeded: 'depth', total };
      if (containers > maxContainers) return { exceeded: 'containers', total };
      members[depth] = 0;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth = Math.max(0, depth - 1);
    else if (byte === COLON) {
      total += 1;
      if ((members[depth] = (members[depth] ?? 0) + 1) > maxMembers) return { exceeded: 'members', total };
    }
  }
  return { total };
}

/** Returns the position of the closing quote, or the end of the text. */
function endOfString(json: Uint8Array, opening: number): number {
  for (let position = opening + 1; position < json.length; position += 1) {
    if (json[position] === BACKSLASH) position += 1;
    else if (json[position] === QUOTE) return position;
  }
  return json.length;
}

/**
 * @throws AppError INVALID_JSON for excessive depth, INVALID_VALUE for too many members, objects or lists
 * @returns the number of members
 */
function requireBounds(body: Buffer, { takesRecipients }: FastifyContextConfig): number {
  const containers = MAX_CONTAINERS + (takesRecipients ? Math.floor(body.length / BYTES_PER_CONTAINER) : 0);
  const { exceeded, total } = measure(body, { members: MAX_MEMBERS, containers });
  if (exceeded === 'depth')
    throw new AppError('INVALID_JSON', {
      message: `the body is not valid JSON: it is nested deeper than ${MAX_DEPTH} levels`,
    });
  if (exceeded === 'members')
    throw new AppError('INVALID_VALUE', {
      message: `invalid value: an object has at most ${MAX_MEMBERS.toLocaleString('en')} members`,
    });
  if (exceeded)
    throw new AppError('INVALID_VALUE', {
      message: `invalid value: the body has at most ${containers.toLocaleString('en')} objects and lists`,
    });
  return total;
}

/** Also applies to routes that need no body: any body is validated (spec §6.2.4). */
function isJsonObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Removes null members at any depth, because null means absent in requests. Modifies the value. */
export function withoutNulls<T>(value: T): T {
  if (Array.isArray(value)) for (const element of value) withoutNulls(element);
  else if (typeof value === 'object' && value !== null) dropNulls(value as Record<string, unknown>);
  return value;
}

function dropNulls(object: Record<string, unknown>): void {
  for (const name of Object.keys(object)) {
    if (object[name] === null) delete object[name];
    else withoutNulls(object[name]);
  }
}

/**
 * Accepts only JSON bodies. Routes with `rawBody` get the raw bytes, for verifying signatures. Parsing drops
 * `__proto__` and `constructor.prototype`.
 */
export function useJsonParser(fastify: FastifyInstance): void {
  const parseJson = fastify.getDefaultJsonParser('remove', 'remove');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const { 'content-encoding': encoding = 'identity' } = request.headers;
    if (encoding !== 'identity')
      return done(new AppError('UNSUPPORTED_MEDIA_TYPE', { message: 'compressed bodies are not supported' }));
    const { rawBody, takesBody } = request.routeOptions.config;
    if (rawBody) return done(null, body);
    if (body.length === 0 && !takesBody) return done(null, undefined);
    if (request.headers['idempotency-key'] !== undefined) request.bodyHash = createHash('sha256').update(body).digest();
    // Decoding would silently replace the invalid bytes.
    if (!isUtf8(body))
      return done(new AppError('INVALID_JSON', { message: 'the body is not valid JSON: it is not UTF-8' }));
    let members: number;
    try {
      members = requireBounds(body, request.routeOptions.config);
    } catch (error) {
      return done(error as AppError);
    }
    const text = body.toString('utf8');
    return parseJson(request, text, (error, value) => {
      if (error) return done(withPosition(error, text));
      if (!isJsonObject(value))
        return done(new AppError('INVALID_PARAMETER', { message: 'the body must be a JSON object' }));
      if (members !== countMembers(value)) request.lostNames = lostNames(text, value);
      return done(null, body.includes('null') ? withoutNulls(value) : value);
    });
  });
}

/** Adds the position of a syntax error, which Fastify's error lacks. */
function withPosition(error: Error, text: string): Error {
  const place = placeOf(text);
  return place === undefined
    ? error
    : new AppError('INVALID_JSON', { message: `${ERRORS.INVALID_JSON.message}: ${place}` });
}

/** Maximum length of a body that is parsed again to find the position of a syntax error. */
const LONGEST_READ_AGAIN = 1_048_576;

/**
 * Returns the position or character from V8's message. The message is not shown, since it may quote much of the body.
 */
function placeOf(text: string): string | undefined {
  if (text.length > LONGEST_READ_AGAIN) return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const { message } = error as SyntaxError;
    if (message === 'Unexpected end of JSON input') return 'it ends too early';
    const [, position] = / in JSON at position (\d+)/.exec(message) ?? [];
    if (position !== undefined) return `error at position ${position}`;
    // V8 reports this error without a position.
    const [, character] = /^Unexpected token '(.)'/u.exec(message) ?? [];
    return character === undefined ? undefined : `unexpected character ${character}`;
  }
}
