import type { OpenAPIObject } from '@nestjs/swagger';
import type { BodyClass, ErrorCode } from '@switchboard/contracts';
import { ANSWER, type Bodies, BODIES, type DescribedAnswer, REFUSALS } from './decorators';
import { BODY_ERRORS, COMMON_ERRORS, errorResponses, type HeaderName, headersOf, POST_ERRORS } from './error-responses';
import { oneOf, type SchemaRegistry } from './schema-registry';

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;

const METHODS = ['get', 'post', 'put', 'delete', 'patch'] as const;

/** Example requests by content type and name. */
export type RequestExamples = Readonly<
  Partial<
    Record<'application/json' | 'multipart/form-data', Readonly<Record<string, { summary: string; value: object }>>>
  >
>;

/** Properties common to all operations of an API. */
export interface OperationDefaults {
  commonErrors: readonly ErrorCode[];
  /** Headers of responses to admitted callers. */
  headers: HeaderName[];
  /** Additions to authenticated operations with these methods. */
  changing: {
    methods: readonly string[];
    errors: readonly ErrorCode[];
    parameter: { $ref: string };
    headers: HeaderName[];
  };
  /** Request examples by operation. */
  examples?: Readonly<Record<string, RequestExamples>>;
}

/** The public API. */
export const API_DEFAULTS: OperationDefaults = {
  commonErrors: COMMON_ERRORS,
  headers: ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  changing: {
    methods: ['post'],
    errors: POST_ERRORS,
    parameter: { $ref: '#/components/parameters/IdempotencyKey' },
    headers: ['Idempotency-Replay'],
  },
};

/** Returns the routes of one API. The console API has a separate description. */
export function pathsBelow(prefix: string, paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  return Object.fromEntries(Object.entries(paths).filter(([path]) => path.startsWith(prefix)));
}

/**
 * Adds what all operations share: headers, idempotency, and a response for each error.
 * @param registry collects the schemas of the bodies
 */
export function completePaths(
  paths: OpenAPIObject['paths'],
  registry: SchemaRegistry,
  defaults = API_DEFAULTS,
): OpenAPIObject['paths'] {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [path, completeItem(item, registry, defaults)]),
  );
}

function completeItem(item: PathItem, registry: SchemaRegistry, defaults: OperationDefaults): PathItem {
  const methods = METHODS.filter((method) => item[method]);
  return {
    ...item,
    ...Object.fromEntries(
      methods.map((method) => [method, completeOperation(item[method] as Operation, { method, registry, defaults })]),
    ),
  };
}

function completeOperation(
  described: Operation,
  { method, registry, defaults }: { method: string; registry: SchemaRegistry; defaults: OperationDefaults },
): Operation {
  const { commonErrors, headers, changing, examples = {} } = defaults;
  const {
    [ANSWER]: answers = [],
    [REFUSALS]: refusals,
    [BODIES]: bodies,
    ...operation
  } = described as Operation & {
    [ANSWER]?: DescribedAnswer | DescribedAnswer[];
    [REFUSALS]?: ErrorCode[];
    [BODIES]?: Bodies;
  };
  // The library derives the request body from the handler's parameter, without examples, other content types and custom
  // rules.
  delete operation.requestBody;
  const isChanging = changing.methods.includes(method) && operation.security !== undefined;
  // A body may be sent even if none is expected, with the same possible errors.
  const codes = [
    ...(refusals ?? []),
    ...commonErrors,
    ...(isChanging ? changing.errors : []),
    ...(isChanging || bodies || method === 'delete' ? BODY_ERRORS : []),
  ];
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), ...(isChanging ? [changing.parameter] : [])],
    ...(bodies && {
      requestBody: {
        required: !bodies.isOptional,
        content: contentOf(bodies, registry, examples[operation.operationId ?? '']),
      },
    }),
    responses: {
      ...successes(withAnswers(operation.responses, [answers].flat(), registry), [
        ...headers,
        'X-Request-Id',
        ...(isChanging ? changing.headers : []),
      ]),
      ...(errorResponses(codes, headers) as unknown as Operation['responses']),
    },
  };
}

function withAnswers(
  responses: Operation['responses'],
  answers: readonly DescribedAnswer[],
  registry: SchemaRegistry,
): Operation['responses'] {
  const described = answers.map(({ status, types }) => {
    const schema = oneOf(types.map((type) => registry.refTo(type)));
    return [status, { ...responses[status], content: { 'application/json': { schema } } }];
  });
  return { ...responses, ...(Object.fromEntries(described) as Operation['responses']) };
}

function contentOf(
  { json, multipart }: Bodies,
  registry: SchemaRegistry,
  examples: RequestExamples = {},
): Record<string, object> {
  const mediaOf = (type: keyof RequestExamples, body: BodyClass): object => ({
    [type]: { schema: registry.refTo(body), ...(examples[type] && { examples: examples[type] }) },
  });
  return {
    ...(json && mediaOf('application/json', json)),
    ...(multipart && mediaOf('multipart/form-data', multipart)),
  };
}

function successes(responses: Operation['responses'], names: HeaderName[]): Operation['responses'] {
  const headers = headersOf(...names);
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, withHeaders(response as object, headers)]),
  );
}

function withHeaders(response: { headers?: object }, headers: object): Operation['responses'][string] {
  return { ...response, headers: { ...response.headers, ...headers } } as Operation['responses'][string];
}
