import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ROUTES } from './api';
import { ApiError, ConnectionError } from './errors';
import { itemsOf, type Page, pagesOf } from './pages';
import { type BuiltRequest, buildRequest } from './request';
import { isRetriable, mayTryAgain, retryDelayMs } from './retry';
import type { Answer, Input, ItemOf, ListOperationId, OperationId } from './types';

export interface ClientOptions {
  /** The service's address, with or without `/v1`. */
  baseUrl: string;
  apiKey: string;
  /**
   * How long one attempt may take until its answer is there, in milliseconds; 30,000 when absent. A file that is read
   * back may take longer.
   */
  timeoutMs?: number;
  /** The same for calls that send a file along; 330,000 when absent: the service waits five minutes for a file. */
  uploadTimeoutMs?: number;
  /**
   * How often a failed call is made again; 3 when absent, 0 never. While an earlier attempt still runs it is asked
   * after for longer.
   */
  maxRetries?: number;
  /** The longest wait the API may ask for before a call is given up instead, in seconds; 60 when absent. */
  maxRetryAfterSeconds?: number;
  /** Takes the place of the global `fetch`. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** Ends the call, waits between retries included. */
  signal?: AbortSignal;
  /** Takes the place of both timeouts of the client. */
  timeoutMs?: number;
  maxRetries?: number;
  /** For a POST: your own key, for example of the job that makes the call. One is made when absent; null sends none. */
  idempotencyKey?: string | null;
  headers?: Record<string, string>;
}

type Method<Id extends OperationId> =
  object extends Input<Id>
    ? (input?: Input<Id>, options?: CallOptions) => Promise<Answer<Id>>
    : (input: Input<Id>, options?: CallOptions) => Promise<Answer<Id>>;
type Methods = { [Id in OperationId]: Method<Id> };

/** The API: one method per operation, and iterators over its lists. */
export type SwitchboardClient = Methods & {
  /** Every page of a list from the first on, by cursor. */
  pages<Id extends ListOperationId>(
    operation: Id,
    query?: Omit<Input<Id>, 'page' | 'cursor'>,
    options?: CallOptions,
  ): AsyncGenerator<Answer<Id>, void>;
  /** Every item of a list, page by page. */
  items<Id extends ListOperationId>(
    operation: Id,
    query?: Omit<Input<Id>, 'page' | 'cursor'>,
    options?: CallOptions,
  ): AsyncGenerator<ItemOf<Id>, void>;
};

const DEFAULTS = { timeoutMs: 30_000, uploadTimeoutMs: 330_000, maxRetries: 3, maxRetryAfterSeconds: 60 };

/**
 * A client of the API. Calls throw ApiError or ConnectionError. Every POST carries an Idempotency-Key, the same on each
 * retry, so that a retry never does twice what an earlier attempt did.
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
  // The methods' types come from the API's description, as the table of routes does.
  return { ...methods, pages, items } as unknown as SwitchboardClient;
}

type Settings = ClientOptions & typeof DEFAULTS;

/** Makes a call until it succeeds, may not be repeated, or was repeated often enough. */
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
    // A file goes on arriving after its head: from there on only the caller's own signal ends it.
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
