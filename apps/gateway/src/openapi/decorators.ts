import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { BodyClass, ErrorCode, Schema } from '@switchboard/contracts';
import { extendRouteConfig } from '../http/route-config';

/** Where an operation's answer, error codes and bodies stand until `completePaths` writes them out. */
export const ANSWER = 'x-answer';
export const REFUSALS = 'x-refusals';
export const BODIES = 'x-bodies';

/** The library's types are those of OpenAPI 3.0; what it is given it hands on as it is. */
type LibrarySchema =
  NonNullable<Parameters<typeof ApiQuery>[0]> extends infer Options
    ? Options extends { schema?: infer S }
      ? S
      : never
    : never;
const toLibrary = (schema: Schema): LibrarySchema => schema as LibrarySchema;

/** The body of a success, or the bodies of which it is one. */
export interface DescribedAnswer {
  status: 200 | 201;
  types: readonly BodyClass[];
}

/** Body of a success: the response class after `success: true` (spec §1.1.4). */
export type Success<Body extends object> = { success: true } & Body;

/** An instance of the class, or of one of the classes. */
type BodyOf<Type> = Type extends BodyClass<infer Body> | readonly BodyClass<infer Body>[] ? Body : never;

/** A decorator for handlers that return this body. */
type HandlerDecorator<Body extends object> = <
  Handler extends (...args: never[]) => Success<Body> | Promise<Success<Body>>,
>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Handler>,
) => void;

/**
 * The answer of an operation that succeeds: a body of this class, or of one of these. The compiler rejects a handler
 * that returns anything else.
 */
export function ApiAnswer<Type extends BodyClass | readonly BodyClass[]>(
  type: Type,
  { status = 200 }: { status?: 200 | 201 } = {},
): HandlerDecorator<BodyOf<Type>> {
  const answer: DescribedAnswer = { status, types: [type].flat() as BodyClass[] };
  return applyDecorators(ApiResponse({ status, description: 'Success' }), ApiExtension(ANSWER, answer));
}

/**
 * The errors of an operation besides those that every call, every POST and every body can meet: `describeApi` adds
 * these.
 */
export function ApiRefusals(...codes: ErrorCode[]): MethodDecorator {
  return ApiExtension(REFUSALS, codes);
}

/** The bodies of an operation, by content type; each one must be there. */
export interface Bodies {
  json?: BodyClass;
  multipart?: BodyClass;
}

/** Describes the bodies of an operation; without it an empty one counts as none, with it it is refused. */
export function ApiBodies(bodies: Bodies): MethodDecorator {
  return applyDecorators(ApiExtension(BODIES, bodies), extendRouteConfig({ takesBody: true }));
}

/** An optional query parameter. */
export function ApiFilter(name: string, schema: Schema, description?: string): MethodDecorator {
  return ApiQuery({
    name,
    required: false,
    ...(description !== undefined && { description }),
    schema: toLibrary(schema),
  });
}

/** The query of a list that is read from page to page only. */
export function ApiCursorPaging(): MethodDecorator {
  return applyDecorators(
    ApiFilter('limit', { type: 'integer', minimum: 1, default: 20 }, 'Above 100 counts as 100'),
    ApiFilter('cursor', { type: 'string' }, '`nextCursor` of the page before'),
  );
}

/** The query of every list with pages (spec §7.1). */
export function ApiPaging(): MethodDecorator {
  return applyDecorators(
    ApiFilter(
      'page',
      { type: 'integer', minimum: 1, default: 1 },
      'Reaches what is found among the first 5,000 items of the list; deeper pages are refused with 422: follow `nextCursor`',
    ),
    ApiFilter('limit', { type: 'integer', minimum: 1, default: 20 }, 'Above 100 counts as 100'),
    ApiFilter('cursor', { type: 'string' }, '`nextCursor` of the page before; takes the place of `page`'),
  );
}
