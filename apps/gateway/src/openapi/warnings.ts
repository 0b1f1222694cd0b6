import type { OpenAPIObject } from '@nestjs/swagger';
import type { ErrorDetail, Schema } from '@switchboard/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type KnownFields, knownFieldsOf, unusedFieldsOf } from './known-fields';

/** Maximum number of items per page. */
export const MAX_LIMIT = 100;
const MOST_WARNINGS = 10;
/** Maximum number of characters shown of an unknown name. */
const SHOWN_CHARACTERS = 100;

/** Known fields of an operation without a body: none. */
const NO_FIELDS: KnownFields = { fields: new Map() };

/** Parameters and fields of an operation in the API description. */
interface Taken {
  query: ReadonlySet<string>;
  json: KnownFields;
  form?: KnownFields;
}

interface DescribedOperation {
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: Schema } | undefined> };
}

/**
 * Adds warnings to successful responses about names in the request that the API does not know (spec §1.1.8). Mistyped
 * fields would otherwise be ignored silently. A response stored for repeats includes its warnings.
 * @param describe returns the API description; called once, on the first request
 */
export function addWarnings(fastify: FastifyInstance, describe: () => OpenAPIObject): void {
  let operations: ReadonlyMap<string, Taken> | undefined;
  for (const name of ['formFields', 'lostNames'] as const) fastify.decorateRequest(name, null);
  fastify.addHook('preSerialization', (request, _reply, payload, done) => {
    if (!request.client || !isSuccess(payload)) return done(null, payload);
    operations ??= operationsOf(describe());
    const taken = operations.get(`${request.method} ${request.routeOptions.url ?? ''}`);
    const { warnings: own = [] } = payload;
    const warnings = [...own, ...(taken ? warningsOf(request, taken) : [])].slice(0, MOST_WARNINGS);
    return done(null, warnings.length > 0 ? { ...payload, warnings } : payload);
  });
}

/** Checks for a successful response, which may already have warnings. */
function isSuccess(payload: unknown): payload is { success: true; warnings?: ErrorDetail[] } {
  return typeof payload === 'object' && payload !== null && 'success' in payload && payload.success === true;
}

/** Returns the operations by method and route. */
function operationsOf({ paths, components }: OpenAPIObject): ReadonlyMap<string, Taken> {
  const schemas = (components?.schemas ?? {}) as Record<string, Schema>;
  const operations = new Map<string, Taken>();
  for (const [path, item] of Object.entries(paths)) {
    const route = path.replace(/\{(\w+)\}/g, ':$1');
    for (const [method, operation] of Object.entries(item))
      operations.set(`${method.toUpperCase()} ${route}`, takenBy(operation as DescribedOperation, schemas));
  }
  return operations;
}

function takenBy({ parameters = [], requestBody }: DescribedOperation, schemas: Record<string, Schema>): Taken {
  const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {};
  return {
    query: new Set(parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name)),
    json: json ? knownFieldsOf(json.schema, schemas) : NO_FIELDS,
    ...(form && { form: knownFieldsOf(form.schema, schemas) }),
  };
}

function warningsOf({ query, body, formFields, lostNames }: FastifyRequest, taken: Taken): ErrorDetail[] {
  const parameters = Object.keys(query as object).filter((name) => !taken.query.has(name));
  const unused = [
    unusedFieldsOf(body, taken.json),
    ...(taken.form && formFields ? [unusedFieldsOf(Object.fromEntries(formFields), taken.form)] : []),
  ];
  return [
    ...(lostNames ?? []).map(({ field, isRepeated }) =>
      isRepeated ? detail(field, 'is there more than once: the last one counts') : warning(field, 'field'),
    ),
    ...unused.flatMap(({ unknown, meant }) => unknown.map((field) => warning(field, 'field', meant.get(field)))),
    ...unused
      .flatMap(({ overridden }) => overridden)
      .map(({ field, by }) => detail(field, `was ignored: ${by} is given as well`)),
    ...parameters.map((name) => warning(name, 'query parameter')),
    ...(isClamped(query, taken)
      ? [detail('limit', `is at most ${MAX_LIMIT}: the page has ${MAX_LIMIT} items at most`)]
      : []),
  ];
}

/** Checks whether the requested limit exceeds the maximum page size (spec §7.1.4). */
function isClamped(query: unknown, taken: Taken): boolean {
  const { limit } = query as { limit?: unknown };
  return taken.query.has('limit') && Number(limit) > MAX_LIMIT;
}

const warning = (field: string, kind: string, meant?: string): ErrorDetail =>
  detail(field, `is not a known ${kind} and was ignored${meant === undefined ? '' : `; did you mean ${meant}?`}`);

function detail(given: string, message: string): ErrorDetail {
  // The cut may leave an unpaired surrogate, which strict JSON parsers reject.
  const field =
    given.length > SHOWN_CHARACTERS ? `${given.slice(0, SHOWN_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')}…` : given;
  return { field, message: `${field} ${message}` };
}
