import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { BodyClass, ErrorCode, Schema } from '@switchboard/contracts';
import { extendRouteConfig } from '../http/route-config';

/** Extension keys for an operation's response, error codes and bodies, which `completePaths` expands. */
export const ANSWER = 'x-answer';
export const REFUSALS = 'x-refusals';
export const BODIES = 'x-bodies';

/** Schema type of the library, which uses OpenAPI 3.0 types but passes schemas through unchanged. */
type LibrarySchema =
  NonNullable<Parameters<typeof ApiQuery>[0]> extends infer Options
    ? Options extends { schema?: infer S }
      ? S
      : never
    : never;
const toLibrary = (schema: Schema): LibrarySchema => schema as LibrarySchema;

/** Response body, or alternative bodies, of a success. */
export interface DescribedAnswer {
  status: 200 | 201;
  types: readonly BodyClass[];
}

/** Body of a successful response: `success: true` and the fields of the response class (spec §1.1.4). */
export type Success<Body extends object> = { success: true } & Body;

/** Instance of the class, or of one of several classes. */
type BodyOf<Type> = Type extends BodyClass<infer Body> | readonly BodyClass<infer Body>[] ? Body : never;

/** Decorator for handlers that return the given body. */
type HandlerDecorator<Body extends object> = <
  Handler extends (...args: never[]) => Success<Body> | Promise<Success<Body>>,
>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Handler>,
) => void;

/**
 * Declares the response of a successful operation: a body of the class, or of one of several classes. The compiler
 * rejects a handler that returns anything else.
 */
export function ApiAnswer<Type extends BodyClass | readonly BodyClass[]>(
  type: Type,
  { status = 200 }: { status?: 200 | 201 } = {},
): HandlerDecorator<BodyOf<Type>> {
  const answer: DescribedAnswer = { status, types: [type].flat() as BodyClass[] };
  return applyDecorators(ApiResponse({ status, description: 'Success' }), ApiExtension(ANSWER, answer));
}

/**
 * Declares the responses of an operation that returns 201 for a new object and 200 for a dry run. The compiler rejects
 * a handler that returns anything else.
 */
export function ApiAnswers<Created extends BodyClass, Estimate extends BodyClass>(types: {
  200: Estimate;
  201: Created;
}): HandlerDecorator<BodyOf<Created> | BodyOf<Estimate>> {
  const answers: DescribedAnswer[] = [
    { status: 201, types: [types[201]] },
    { status: 200, types: [types[200]] },
  ];
  return applyDecorators(
    ApiResponse({ status: 201, description: 'Success' }),
    ApiResponse({ status: 200, description: 'Dry run: no job was created' }),
    ApiExtension(ANSWER, answers),
  );
}

/** Declares the errors of an operation, besides those common to every call, POST or body, which `describeApi` adds. */
export function ApiRefusals(...codes: ErrorCode[]): MethodDecorator {
  return ApiExtension(REFUSALS, codes);
}

/** Request bodies of an operation by content type. */
export interface Bodies {
  json?: BodyClass;
  multipart?: BodyClass;
  /** True if the operation also accepts a request without a body. */
  isOptional?: boolean;
}

/**
 * Declares the request bodies of an operation, which then rejects an empty body. Other operations treat an empty body
 * as none.
 */
export function ApiBodies(bodies: Bodies): MethodDecorator {
  return applyDecorators(ApiExtension(BODIES, bodies), extendRouteConfig({ takesBody: true }));
}

/** Declares the request body of an operation that treats an empty body as none. */
export function ApiOptionalBody(json: BodyClass): MethodDecorator {
  return ApiExtension(BODIES, { json, isOptional: true } satisfies Bodies);
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

/** Declares the query parameters of a list with cursors. */
export function ApiCursorPaging(): MethodDecorator {
  return applyDecorators(
    ApiFilter('limit', { type: 'integer', minimum: 1, default: 20 }, 'Page size. Values above 100 are treated as 100'),
    ApiFilter('cursor', { type: 'string' }, '`nextCursor` of the previous page'),
  );
}

/** Declares the query parameters of a list with pages (spec §7.1). */
export function ApiPaging(): MethodDecorator {
  return applyDecorators(
    ApiFilter(
      'page',
      { type: 'integer', minimum: 1, default: 1 },
      'Page number, for matches among the first 5,000 items of the list. Deeper pages return 422; use `nextCursor` instead',
    ),
    ApiFilter('limit', { type: 'integer', minimum: 1, default: 20 }, 'Page size. Values above 100 are treated as 100'),
    ApiFilter('cursor', { type: 'string' }, '`nextCursor` of the previous page; takes precedence over `page`'),
  );
}
