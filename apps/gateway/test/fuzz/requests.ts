import { storableText } from '@switchboard/contracts';
import fc from 'fast-check';
import { formOf, multipartBodies } from './multipart';
import { type JsonSchema, type Sources, valuesOf } from './schema-values';
import { hostileText, mutated, toJson } from './values';

export interface Operation {
  operationId: string;
  method: string;
  path: string;
  parameters: { name: string; in: string; schema: JsonSchema }[];
  body?: { json?: JsonSchema; multipart?: JsonSchema };
}

export interface FuzzRequest {
  operationId: string;
  /** How the request was generated; `valid` requests fully match the description. */
  kind: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
}

const CONTENT_TYPES = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'nonsense',
  'application/json; charset=utf-16',
  'application/json; charset=',
  'application/json;;;',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=x',
  'multipart/mixed; boundary=x',
  'application/vnd.api+json',
  'application/JSON',
];
const HEADERS: Record<string, string[]> = {
  'idempotency-key': ['', ' ', 'k', 'x'.repeat(255), 'x'.repeat(256), 'x'.repeat(2000), 'a,b', '__proto__', 'ÿ'],
  'x-request-id': ['', 'x'.repeat(5000), '<script>', 'a b', '__proto__'],
  'content-encoding': ['gzip', 'deflate, br', 'identity', 'nonsense'],
  accept: ['', 'text/html', 'application/xml;q=0.9', '*/*;q='],
  traceparent: ['00-0-0-0', 'x'.repeat(500), `00-${'f'.repeat(32)}-${'0'.repeat(16)}-ff`],
  'x-forwarded-for': ['127.0.0.1', 'x', '::1, 1.2.3.4', ','.repeat(200)],
  authorization: [
    '',
    'Bearer',
    'Bearer ',
    'bearer sb_live_x',
    'Basic eDp5',
    `Bearer ${'x'.repeat(4000)}`,
    'Bearer sb_live_0000000000000000000000000000AA',
  ],
  range: ['bytes=0-', 'bytes=9-1', 'bytes=-1', 'items=1'],
};
const PATHS = [
  '..',
  '.',
  '%00',
  '%2e%2e%2f',
  '%E0%A4%A',
  '%',
  'a%2Fb',
  'x'.repeat(300),
  '__proto__',
  '%F0%9F%98%80',
  "'",
  'job_',
  ';',
  '*',
];
const BROKEN_JSON = [
  '',
  ' ',
  '{',
  '{"to":',
  '[',
  ']',
  'nul',
  '"',
  '{"a":1}}',
  "{'a':1}",
  '{"a":1,}',
  '// x',
  '\u0000',
  '\uFEFF{}',
  '1',
  'null',
  '[]',
  '"x"',
  'NaN',
  '-',
  '1'.repeat(5000),
];

/** Generates requests to an operation, most of them with one fault. */
export function requestsTo(operation: Operation, sources: Sources): fc.Arbitrary<FuzzRequest> {
  const valid = validRequests(operation, sources);
  const jsonSchema = operation.body?.json;
  const bodies = jsonSchema ? valuesOf(jsonSchema, sources) : undefined;
  const kinds: fc.WeightedArbitrary<FuzzRequest>[] = [
    { weight: 4, arbitrary: valid },
    { weight: 3, arbitrary: withHostileParameters(operation, valid) },
    { weight: 2, arbitrary: withHostileHeader(valid) },
  ];
  if (bodies) {
    kinds.push({
      weight: 8,
      arbitrary: fc
        .tuple(valid, bodies.chain(mutated))
        .map(([request, body]) => withJson(request, body, 'mutated body')),
    });
    kinds.push({
      weight: 2,
      arbitrary: fc.tuple(valid, brokenBytes()).map(([request, body]) => ({ ...request, kind: 'broken JSON', body })),
    });
  }
  if (operation.method !== 'GET') {
    kinds.push({
      weight: 2,
      arbitrary: fc.tuple(valid, fc.constantFrom(...CONTENT_TYPES)).map(([request, type]) => ({
        ...request,
        kind: 'content type',
        headers: { ...request.headers, 'content-type': type },
      })),
    });
    kinds.push({
      weight: 3,
      arbitrary: fc.tuple(valid, multipartBodies).map(([request, { type, body }]) => ({
        ...request,
        kind: 'multipart',
        headers: { ...request.headers, 'content-type': type },
        body,
      })),
    });
  }
  return fc.oneof(...kinds);
}

function validRequests(
  { operationId, method, path, parameters, body }: Operation,
  sources: Sources,
): fc.Arbitrary<FuzzRequest> {
  const needsForm = body?.multipart !== undefined && !body.json;
  const forms = needsForm ? validForms(body?.multipart ?? {}, sources) : undefined;
  const inPath = fc.record(
    Object.fromEntries(
      parameters.filter((one) => one.in === 'path').map(({ name, schema }) => [name, valuesOf(schema, sources, name)]),
    ),
  );
  const inQuery = fc.record(
    Object.fromEntries(
      parameters.filter((one) => one.in === 'query').map(({ name, schema }) => [name, valuesOf(schema, sources, name)]),
    ),
    { requiredKeys: requiredQuery(parameters) },
  );
  const bodies: fc.Arbitrary<unknown> = body?.json ? valuesOf(body.json, sources) : fc.constant(undefined);
  return fc.tuple(inPath, inQuery, bodies, forms ?? fc.constant(undefined)).map(([pathValues, query, value, form]) => {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(pathValues[name])) || 'x');
    const search = new URLSearchParams(
      Object.entries(query).map(([name, one]): [string, string] => [name, String(one)]),
    ).toString();
    const request = {
      operationId,
      kind: needsForm ? 'without its form' : 'valid',
      method,
      path: search ? `${filled}?${search}` : filled,
      headers: {},
    };
    if (form) return { ...request, kind: 'valid', headers: { 'content-type': form.type }, body: form.body };
    return value === undefined ? request : withJson(request, value, 'valid');
  });
}

/** Generates forms that match their description; undefined if they need a file without known content. */
function validForms(schema: JsonSchema, sources: Sources): fc.Arbitrary<{ type: string; body: Buffer }> | undefined {
  const { properties = {}, required = [] } = schema.$ref ? sources.resolve(schema.$ref) : schema;
  const files = sources.files ?? {};
  if (required.some((name) => properties[name]?.format === 'binary' && !files[name])) return undefined;
  const fields = Object.entries(properties).map(([name, member]): [string, fc.Arbitrary<string | Buffer>] => {
    const content = files[name];
    return [name, content ? fc.constant(content) : valuesOf(member, sources, name).map(String)];
  });
  return fc
    .record(Object.fromEntries(fields), { requiredKeys: required })
    .map((values) => formOf(values as Record<string, string | Buffer>));
}

function requiredQuery(parameters: Operation['parameters']): string[] {
  return parameters
    .filter((one) => one.in === 'query' && (one as { required?: boolean }).required)
    .map(({ name }) => name);
}

function withJson(request: FuzzRequest, value: unknown, kind: string): FuzzRequest {
  return {
    ...request,
    kind,
    headers: { ...request.headers, 'content-type': 'application/json' },
    body: Buffer.from(toJson(value)),
  };
}

function brokenBytes(): fc.Arbitrary<Buffer> {
  const big = fc.constantFrom(`"${'x'.repeat(1_048_574)}"`, `"${'x'.repeat(1_048_575)}"`);
  const bytes = fc.uint8Array({ maxLength: 64 }).map((array) => Buffer.from(array));
  return fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...BROKEN_JSON).map((text) => Buffer.from(text)) },
    { weight: 5, arbitrary: bytes },
    { weight: 1, arbitrary: big.map((text) => Buffer.from(text)) },
  );
}

function withHostileParameters(
  { path, parameters }: Operation,
  valid: fc.Arbitrary<FuzzRequest>,
): fc.Arbitrary<FuzzRequest> {
  const names = [
    ...parameters.filter((one) => one.in === 'query').map(({ name }) => name),
    'page[]',
    '__proto__',
    'unknown',
  ];
  const text = hostileText.filter((one) => one.length < 5000).map((one) => encodeURIComponent(storableText(one)));
  const pair = fc
    .tuple(
      fc.constantFrom(...names),
      fc.oneof(text, fc.constantFrom('%', '%zz', '%00', '1&page=2', '[]', '-1', '0', '1e3', '99999999999999999999')),
    )
    .map((parts) => parts.join('='));
  const query = fc.array(pair, { minLength: 1, maxLength: 4 }).map((pairs) => pairs.join('&'));
  const hostilePath = fc.constantFrom(...PATHS).map((part) => path.replace(/\{\w+\}/g, () => part));
  const kinds = path.includes('{')
    ? fc.oneof(
        query.map((search) => ({ search })),
        hostilePath.map((whole) => ({ whole })),
      )
    : query.map((search) => ({ search }));
  return fc.tuple(valid, kinds).map(([request, change]) => ({
    ...request,
    kind: 'parameters',
    path: 'search' in change ? `${request.path.split('?', 1)[0] ?? ''}?${change.search}` : change.whole,
  }));
}

function withHostileHeader(valid: fc.Arbitrary<FuzzRequest>): fc.Arbitrary<FuzzRequest> {
  const header = fc.constantFrom(
    ...Object.entries(HEADERS).flatMap(([name, values]) => values.map((value) => [name, value] as const)),
  );
  return fc.tuple(valid, header).map(([request, [name, value]]) => ({
    ...request,
    kind: 'header',
    headers: { ...request.headers, [name]: value },
  }));
}
