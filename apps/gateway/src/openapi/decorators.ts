import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { ErrorCode } from '@switchboard/contracts';
import { extendRouteConfig } from '../http/route-config';
import type { commonSchemas } from './common.schemas';
import type { Schema } from './schema';

/** Where an operation's error codes and bodies stand until `describeApi` writes them out. */
export const REFUSALS = 'x-refusals';
export const BODIES = 'x-bodies';

/**
 * The names of schemas, by the door that has them. Each door adds its own (`declare module`): any other name does not
 * compile.
 */
export interface SchemaNames {
  both: keyof typeof commonSchemas;
}
type AnySchemaName = SchemaNames[keyof SchemaNames];

/** The library's types are those of OpenAPI 3.0; what it is given it hands on as it is. */
type LibrarySchema =
  NonNullable<Parameters<typeof ApiQuery>[0]> extends infer Options
    ? Options extends { schema?: infer S }
      ? S
      : never
    : never;
const toLibrary = (schema: Schema): LibrarySchema => schema as LibrarySchema;

export function refTo(name: AnySchemaName): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** The answer of an operation that succeeds. */
export function ApiAnswer(name: AnySchemaName, { status = 200 }: { status?: 200 | 201 } = {}): MethodDecorator {
  return ApiResponse({ status, description: 'Success', schema: refTo(name) });
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
  json?: AnySchemaName;
  multipart?: AnySchemaName;
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
