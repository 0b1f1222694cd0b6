import createClient from 'openapi-fetch';
import type { components, paths } from './schema';

export type Schemas = components['schemas'];
export type Role = Schemas['User']['role'];
export type Me = Schemas['Me'];

/** What one field of a request is refused for. */
export interface FieldFault {
  field: string;
  message: string;
}

/** A refusal of the API, or a request that never reached it. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly more: { status?: number; requestId?: string; details?: FieldFault[]; retryAfterSeconds?: number } = {},
  ) {
    super(message);
  }

  /** @returns the fault of a field, in words */
  faultOf(field: string): string | undefined {
    return this.more.details?.find((detail) => detail.field === field)?.message;
  }
}

/** A page that nobody has touched for so long only polls: its reads leave the session's last use alone. */
const UNTOUCHED_MS = 30_000;
const CSRF = 'x-csrf-token';

let csrfToken = '';
let touchedAt = Date.now();
let onSignedOut: () => Promise<void> = () => Promise.reject(new ApiError('UNAUTHORIZED', 'You are not signed in.'));

for (const event of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
  addEventListener(event, () => (touchedAt = Date.now()), { passive: true, capture: true });

/** @returns how long nobody has used the page, in milliseconds */
export const untouchedMs = (): number => Date.now() - touchedAt;

/** What changing requests of this session show. */
export function keepCsrfToken(token: string): void {
  csrfToken = token;
}

/** @returns the header that a changing request of this session shows */
export const csrfHeader = (): [name: string, value: string] => [CSRF, csrfToken];

/** Asks to sign in again. @returns when somebody has */
export const signInAgain = (): Promise<void> => onSignedOut();

/** @param handler shows the sign-in over the page, and resolves when somebody has signed in again */
export function whenSignedOut(handler: () => Promise<void>): void {
  onSignedOut = handler;
}

/**
 * Sends a request of the API. When the session has ended it asks to sign in again and then repeats the request, so that
 * nothing typed is lost.
 */
async function send(request: Request): Promise<Response> {
  const isRead = request.method === 'GET';
  if (isRead && untouchedMs() > UNTOUCHED_MS) request.headers.set('x-switchboard-poll', '1');
  if (!isRead) request.headers.set(CSRF, csrfToken);
  const again = request.clone();
  const response = await fetch(request).catch(() => {
    throw new ApiError('UNREACHABLE', 'The server does not answer. Check your connection.');
  });
  const isDoor = new URL(request.url).pathname.startsWith('/console/v1/session');
  if (response.status !== 401 || isDoor || (await codeOf(response)) !== 'UNAUTHORIZED') return response;
  await onSignedOut();
  if (!isRead) again.headers.set(CSRF, csrfToken);
  return fetch(again);
}

async function codeOf(response: Response): Promise<unknown> {
  const body = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { code?: unknown };
  return body.code;
}

/** The console API, typed by its description. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: send });

interface Result<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** @returns the answer @throws ApiError for a refusal */
export async function must<Data>(sent: Promise<Result<Data>>): Promise<Data> {
  const { data, error, response } = await sent;
  if (response.ok && data !== undefined) return data;
  throw toApiError(error, response);
}

/** What a refusal says. @param error the body */
export function toApiError(error: unknown, { status, headers }: Pick<Response, 'status' | 'headers'>): ApiError {
  const body = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  const code = typeof body.code === 'string' ? body.code : 'UNAVAILABLE';
  const message = typeof body.message === 'string' ? body.message : `The server answered ${status}.`;
  const retryAfter = Number(headers.get('retry-after'));
  return new ApiError(code, message, {
    status,
    requestId: typeof body.requestId === 'string' ? body.requestId : (headers.get('x-request-id') ?? undefined),
    details: Array.isArray(body.details) ? (body.details as FieldFault[]) : [],
    ...(retryAfter > 0 && { retryAfterSeconds: retryAfter }),
  });
}
