import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ROUTES } from './api';
import { ApiError, ConnectionError } from './errors';
import { itemsOf, type Page, pagesOf } from './pages';
import { type BuiltRequest, buildRequest } from './request';
import { isRetriable, mayTryAgain, retryDelayMs } from './retry';
import type { Answer, DryRunAnswer, Input, ItemOf, ListOperationId, OperationId } from './types';

export interface ClientOptions {
  /** Base URL of the service, with or without `/v1`. */
  baseUrl: string;
  apiKey: string;
  /**
   * Timeout of one attempt in milliseconds, from the request to the start of the response; defaults to 30,000. A file
   * download may take longer.
   */
  timeoutMs?: number;
  /**
   * Timeout of calls that upload a file, in milliseconds; defaults to 330,000, because the service waits five minutes
   * for a file.
   */
  uploadTimeoutMs?: number;
  /**
   * Maximum number of retries; defaults to 3. 0 disables retries. While an earlier attempt is still running, the client
   * polls beyond the maximum.
   */
  maxRetries?: number;
  /** Maximum Retry-After delay in seconds; a longer one makes the call fail. Defaults to 60. */
  maxRetryAfterSeconds?: number;
  /** Implementation that replaces the global `fetch`. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** Signal that aborts the call, including waits between retries. */
  signal?: AbortSignal;
  /** Timeout of one attempt in milliseconds, with or without a file. */
  timeoutMs?: number;
  maxRetries?: number;
  /**
   * Idempotency-Key of a POST request, for example the ID of the job that makes the call. Generated if absent; null
   * sends none.
   */
  idempotencyKey?: string | null;
  headers?: Record<string, string>;
}

type Method<Id extends OperationId> = [DryRunAnswer<Id>] extends [never]
  ? PlainMethod<Id>
  : DryRunMethod<Id> & PlainMethod<Id>;
type DryRunMethod<Id extends OperationId> = (
  input: Input<Id> & { dryRun: true },
  options?: CallOptions,
) => Promise<DryRunAnswer<Id>>;
type PlainMethod<Id extends OperationId> =
  object extends Input<Id>
    ? (input?: Input<Id>, options?: CallOptions) => Promise<Answer<Id>>
    : (input: Input<Id>, options?: CallOptions) => Promise<Answer<Id>>;
type Methods = { [Id in OperationId]: Method<Id> };

/** API client with one method per operation and iterators over lists. */
export type SwitchboardClient = Methods & {
  /** Iterates over the pages of a list, by cursor. */
  pages<Id extends ListOperationId>(
    operation: Id,
    query?: Omit<Input<Id>, 'page' | 'cursor'>,
    options?: CallOptions,
  ): AsyncGenerator<Answer<Id>, void>;
  /** Iterates over the items of a list, page by page. */
  items<Id extends ListOperationId>(
    operation: Id,
    query?: Omit<Input<Id>, 'page' | 'cursor'>,
    options?: CallOptions,
  ): AsyncGenerator<ItemOf<Id>, void>;
};

const DEFAULTS = { timeoutMs: 30_000, uploadTimeoutMs: 330_000, maxRetries: 3, maxRetryAfterSeconds: 60 };

/**
 * Creates an API client. Calls throw ApiError or ConnectionError. Every POST request has an Idempotency-Key that all
 * its retries share, so a retry never repeats the effect of an earlier attempt.
 */
export function createClient(options: ClientOptions): SwitchboardClient {
  const settings = { ...DEFAULTS, ...options };
  type Loose = (input?: object, options?: CallOptions) => Promise<unknown>;
  const methods = Object.fromEntries(
    Object.entries(ROUTES).map(([id, route]): [string, Loose] => [
      id,
      async (input = {}, call = {}) =>
        perform(settings, buildRequest(settings.baseUrl, route, input as Record<string, unknown>), call),
    ]),
  );
  const pages = (operation: string, query: object = {}, call: CallOptions = {}): AsyncGenerator<Page, void> =>
    pagesOf((input) => (methods[operation] as Loose)(input, call) as Promise<Page>, query);
  const items = (operation: string, query?: object, call?: CallOptions): AsyncGenerator<unknown, void> =>
    itemsOf(pages(operation, query, call));
  // The method types and the route table are both generated from the API description.
  return { ...methods, pages, items } as unknown as SwitchboardClient;
}

type Settings = ClientOptions & typeof DEFAULTS;

/**
 * Sends a request, and retries it until it succeeds, must not be retried, or has reached the maximum number of retries.
 */
async function perform(settings: Settings, request: BuiltRequest, call: CallOptions): Promise<unknown> {
  const { maxRetries = settings.maxRetries, signal } = call;
  const headers = headersOf(settings, request, call);
  const repeatable = request.method === 'GET' || 'idempotency-key' in headers;
  const startedAt = performance.now();
  for (let retry = 1; ; retry += 1) {
    try {
      return await attempt(settings, { ...request, headers }, call);
    } catch (error) {
      const { retryAfterSeconds } = error instanceof ApiError ? error : {};
      const isPossible =
        request.repeatableBody &&
        isRetriable(error, { repeatable }) &&
        (retryAfterSeconds ?? 0) <= settings.maxRetryAfterSeconds;
      if (!isPossible || !mayTryAgain(error, { retry, maxRetries, elapsedMs: performance.now() - startedAt }))
        throw error;
      await delay(retryDelayMs(retry, { retryAfterSeconds, random: Math.random() }), undefined, { signal });
    }
  }
}

function headersOf(
  settings: Settings,
  request: BuiltRequest,
  { idempotencyKey, headers }: CallOptions,
): Record<string, string> {
  const key = request.method === 'GET' || idempotencyKey === null ? undefined : (idempotencyKey ?? randomUUID());
  return {
    accept: 'application/json',
    authorization: `Bearer ${settings.apiKey}`,
    ...request.headers,
    ...(key !== undefined && { 'idempotency-key': key }),
    ...headers,
  };
}

async function attempt(
  settings: Settings,
  request: BuiltRequest,
  { signal, timeoutMs = settings[request.hasFile ? 'uploadTimeoutMs' : 'timeoutMs'] }: CallOptions,
): Promise<unknown> {
  const { url, method, headers, body } = request;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  const either = signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal;
  try {
    const response = await (settings.fetch ?? fetch)(url, {
      method,
      headers,
      body: body?.(),
      signal: either,
      redirect: 'manual',
      ...(body && { duplex: 'half' }),
    } as RequestInit);
    return await resultOf(response);
  } catch (error) {
    if (error instanceof ApiError || signal?.aborted) throw error;
    if (timeout.signal.aborted)
      throw new ConnectionError(`no answer within ${timeoutMs} ms`, { cause: error, timedOut: true });
    throw new ConnectionError(`${method} ${url} failed`, { cause: error });
  } finally {
    // A file continues to arrive after the headers. From then on, only the caller's signal aborts the download.
    clearTimeout(timer);
  }
}

async function resultOf(response: Response): Promise<unknown> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  if (response.ok && !isJson) return response;
  const text = await response.text();
  const body = isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
  if (response.ok) return body;
  throw new ApiError(response.status, response.headers, body);
}
