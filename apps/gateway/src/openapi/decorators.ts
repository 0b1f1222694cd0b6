import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { BodyClass, ErrorCode, Schema } from '@switchboard/contracts';
import { extendRouteConfig } from '../http/route-config';

/** Extension keys for an operation's response, error codes and bodies, until `completePaths` expands them. */
export const ANSWER = 'x-answer';
export const REFUSALS = 'x-refusals';
export const BODIES = 'x-bodies';

/** The library's types are those of OpenAPI 3.0; it passes the schema through unchanged. */
type LibrarySchema =
  NonNullable<Parameters<typeof ApiQuery>[0]> extends infer Options
    ? Options extends { schema?: infer S }
      ? S
      : never
    : never;
const toLibrary = (schema: Schema): LibrarySchema => schema as LibrarySchema;

/** Response body or bodies of a success. */
export interface DescribedAnswer {
  status: 200 | 201;
  types: readonly BodyClass[];
}

/** Body of a success: the response class after `success: true` (spec §1.1.4). */
export type Success<Body extends object> = { success: true } & Body;

/** Instance of the class, or of one of the classes. */
type BodyOf<Type> = Type extends BodyClass<infer Body> | readonly BodyClass<infer Body>[] ? Body : never;

/** Decorator for handlers that return this body. */
type HandlerDecorator<Body extends object> = <
  Handler extends (...args: never[]) => Success<Body> | Promise<Success<Body>>,
>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Handler>,
) => void;

/**
 * Declares the success response of an operation: a body of this class, or of one of these. The compiler rejects a
 * handler that returns anything else.
 */
export function ApiAnswer<Type extends BodyClass | readonly BodyClass[]>(
  type: Type,
  { status = 200 }: { status?: 200 | 201 } = {},
): HandlerDecorator<BodyOf<Type>> {
  const answer: DescribedAnswer = { status, types: [type].flat() as BodyClass[] };
  return applyDecorators(ApiResponse({ status, description: 'Success' }), ApiExtension(ANSWER, answer));
}

/**
 * Declares the errors of an operation beyond those of every call, every POST and every body, which `describeApi` adds.
 */
export function ApiRefusals(...codes: ErrorCode[]): MethodDecorator {
  return ApiExtension(REFUSALS, codes);
}

/** Bodies of an operation by content type; all are required. */
export interface Bodies {
  json?: BodyClass;
  multipart?: BodyClass;
}

/** Declares the bodies of an operation. An empty body is rejected then; otherwise it counts as none. */
export function ApiBodies(bodies: Bodies): MethodDecorator {
  return applyDecorators(ApiExtension(BODIES, bodies), extendRouteConfig({ takesBody: true }));
}

/** Declares an optional query parameter. */
export function ApiFilter(name: string, schema: Schema, description?: string): MethodDecorator {
  return ApiQuery({
    name,
    required: false,
    ...(description !== undefined && { description }),
    schema: toLibrary(schema),
  });
}

/** Declares the query of a list with cursors. */
export function ApiCursorPaging(): MethodDecorator {
  return applyDecorators(
    ApiFilter('limit', { type: 'integer', minimum: 1, default: 20 }, 'Page size. Values above 100 are treated as 100'),
    ApiFilter('cursor', { type: 'string' }, '`nextCursor` of the previous page'),
  );
}

/** Declares the query of a list with pages (spec §7.1). */
export function ApiPaging(): MethodDecorator {
  return applyDecorators(
    ApiFilter(
      'page',
      { type: 'integer', minimum: 1, default: 1 },
      'Page number, for matches among the first 5,000 items of the list. Deeper pages return 422: use `nextCursor` instead',
    ),
    ApiFilter('limit', { type: 'integer', minimum: 1, default: 20 }, 'Page size. Values above 100 are treated as 100'),
    ApiFilter('cursor', { type: 'string' }, '`nextCursor` of the previous page; takes precedence over `page`'),
  );
}
