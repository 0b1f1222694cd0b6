import type { OpenAPIObject } from '@nestjs/swagger';

/** Parts of the API description from which requests are built. */
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  description?: string;
  example?: unknown;
  schema?: { example?: unknown; default?: unknown };
}
interface BodySchema {
  $ref?: string;
  properties?: Record<string, { format?: string }>;
}
interface MediaType {
  schema?: BodySchema;
  examples?: Record<string, { summary?: string; value?: unknown }>;
}
interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, MediaType> };
}

interface Shared {
  parameters: Record<string, Parameter>;
  schemas: Record<string, BodySchema>;
}

/** Request or folder of the collection. */
interface Item {
  name: string;
  request: object;
}

/**
 * Builds a Postman collection (format 2.1) from the API description: a folder for each tag, and a request for each
 * operation or for each of its examples.
 */
export function postmanCollection({ info, paths, tags, servers, components }: OpenAPIObject): object {
  const shared = components as Shared;
  const folders = new Map(
    (tags ?? []).map(({ name, description }) => [name, { name, description, item: [] as Item[] }]),
  );
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations as Record<string, Operation>))
      folders.get(operation.tags?.[0] ?? '')?.item.push(...requestsOf(path, method.toUpperCase(), operation, shared));
  return {
    info: {
      name: info.title,
      description: `${info.description}\n\nSet the variable \`apiKey\` before you send a request.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: (servers?.[0]?.url ?? '').replace(/\/$/, '') },
      { key: 'apiKey', value: '' },
    ],
    item: [...folders.values()].filter(({ item }) => item.length > 0),
  };
}

function requestsOf(path: string, method: string, operation: Operation, shared: Shared): Item[] {
  const name = operation.summary ?? operation.operationId;
  const parameters = (operation.parameters ?? []).map((parameter) =>
    parameter.$ref ? found(shared.parameters, parameter.$ref) : parameter,
  );
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place).map(fieldOf);
  const request = {
    method,
    description: operation.description,
    header: of('header').map((header) => ({ ...header, disabled: true })),
    url: {
      raw: `{{baseUrl}}${path.replace(/\{(\w+)\}/g, ':$1')}`,
      host: ['{{baseUrl}}'],
      path: path
        .slice(1)
        .split('/')
        .map((part) => part.replace(/^\{(\w+)\}/, ':$1')),
      variable: of('path'),
      query: of('query').map((parameter) => ({ ...parameter, disabled: true })),
    },
  };
  const bodies = Object.entries(operation.requestBody?.content ?? {}).flatMap(([type, { examples, schema }]) => {
    const { properties = {} } = schema?.$ref ? found(shared.schemas, schema.$ref) : (schema ?? {});
    return Object.values(examples ?? {}).map(({ summary, value }) => ({
      summary,
      body: type === 'multipart/form-data' ? formOf(value, properties) : jsonOf(value),
    }));
  });
  if (bodies.length === 0) return [{ name, request }];
  return bodies.map(({ summary, body }) => ({
    name: bodies.length > 1 && summary ? `${name}: ${summary}` : name,
    request: { ...request, body },
  }));
}

function fieldOf({ name, description, example, schema }: Parameter) {
  return { key: name, value: text(example ?? schema?.example ?? schema?.default), description };
}

function jsonOf(value: unknown): object {
  return { mode: 'raw', raw: JSON.stringify(value, null, 2), options: { raw: { language: 'json' } } };
}

function formOf(value: unknown, properties: NonNullable<BodySchema['properties']>): object {
  const formdata = Object.entries(value as Record<string, unknown>).map(([key, each]) =>
    properties[key]?.format === 'binary' ? { key, type: 'file', src: [] } : { key, type: 'text', value: text(each) },
  );
  return { mode: 'formdata', formdata };
}

/** Resolves a reference within the description. */
function found<Value>(values: Record<string, Value>, reference: string): Value {
  return values[reference.split('/').at(-1) ?? ''] as Value;
}

const text = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
