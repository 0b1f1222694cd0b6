import type { OpenAPIObject } from '@nestjs/swagger';
import type { ErrorCode } from '@switchboard/contracts';
import { type Bodies, BODIES, REFUSALS } from './decorators';
import { BODY_ERRORS, COMMON_ERRORS, errorResponses, type HeaderName, headersOf, POST_ERRORS } from './error-responses';
import { ref } from './schema';

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;

const METHODS = ['get', 'post', 'put', 'delete', 'patch'] as const;

/** What all operations behind one door share. */
export interface Door {
  commonErrors: readonly ErrorCode[];
  /** On answers to those who were let in. */
  headers: HeaderName[];
  /** What comes with these methods, for those who must prove who they are. */
  changing: {
    methods: readonly string[];
    errors: readonly ErrorCode[];
    parameter: { $ref: string };
    headers: HeaderName[];
  };
}

/** The public API's. */
export const API_DOOR: Door = {
  commonErrors: COMMON_ERRORS,
  headers: ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  changing: {
    methods: ['post'],
    errors: POST_ERRORS,
    parameter: { $ref: '#/components/parameters/IdempotencyKey' },
    headers: ['Idempotency-Replay'],
  },
};

/** The routes of one door; the console's have a description of their own. */
export function pathsBelow(prefix: string, paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  return Object.fromEntries(Object.entries(paths).filter(([path]) => path.startsWith(prefix)));
}

/** Writes out what the operations of all routes share: headers, idempotency, and an answer for each of their errors. */
export function completePaths(paths: OpenAPIObject['paths'], door = API_DOOR): OpenAPIObject['paths'] {
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, completeItem(item, door)]));
}

function completeItem(item: PathItem, door: Door): PathItem {
  const methods = METHODS.filter((method) => item[method]);
  return {
    ...item,
    ...Object.fromEntries(
      methods.map((method) => [method, completeOperation(item[method] as Operation, method, door)]),
    ),
  };
}

function completeOperation(described: Operation, method: string, { commonErrors, headers, changing }: Door): Operation {
  const {
    [REFUSALS]: refusals,
    [BODIES]: bodies,
    ...operation
  } = described as Operation & { [REFUSALS]?: ErrorCode[]; [BODIES]?: Bodies };
  const isChanging = changing.methods.includes(method) && operation.security !== undefined;
  // A body may come although none is asked for: it is refused alike.
  const codes = [
    ...(refusals ?? []),
    ...commonErrors,
    ...(isChanging ? changing.errors : []),
    ...(isChanging || bodies ? BODY_ERRORS : []),
  ];
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), ...(isChanging ? [changing.parameter] : [])],
    ...(bodies && { requestBody: { required: true, content: contentOf(bodies) } }),
    responses: {
      ...successes(operation.responses, [...headers, 'X-Request-Id', ...(isChanging ? changing.headers : [])]),
      ...(errorResponses(codes, headers) as unknown as Operation['responses']),
    },
  };
}

function contentOf({ json, multipart }: Bodies): Record<string, object> {
  return {
    ...(json && { 'application/json': { schema: ref(json) } }),
    ...(multipart && { 'multipart/form-data': { schema: ref(multipart) } }),
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
