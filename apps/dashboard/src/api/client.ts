import createClient from 'openapi-fetch';
import { noteOf } from '../lib/sentences';
import type { components, paths } from './schema';
import { isUntouched } from '../lib/user-activity';

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

const CSRF = 'x-csrf-token';

let csrfToken = '';
/** What the page does when its session has changed under it. */
let gate: Gate = {
  signInAgain: () => Promise.reject(new ApiError('UNAUTHORIZED', 'You are not signed in.')),
  lookAgain: () => Promise.resolve(),
};

interface Gate {
  /** Shows the sign-in over the page; settles when somebody has signed in again. */
  signInAgain(): Promise<void>;
  /** Asks anew who is signed in: another tab may have signed in, or the role has changed. */
  lookAgain(): Promise<void>;
}

/** What changing requests of this session show. */
export function keepCsrfToken(token: string): void {
  csrfToken = token;
}

/** @param given what requests ask when the session has changed under the page */
export function setGate(given: Gate): void {
  gate = given;
}

/** @returns the header that a changing request of this session shows */
export const csrfHeader = (): [name: string, value: string] => [CSRF, csrfToken];

/**
 * Finds the way back into a session that has ended, or that another tab has begun anew. Both refusals mean that nothing
 * was done.
 * @returns whether the refused request should be sent once more
 */
export async function isLetInAgain({ status, code }: { status: number; code: unknown }): Promise<boolean> {
  if (code === 'UNAUTHORIZED' && status === 401) await gate.signInAgain();
  else if (code === 'CSRF_TOKEN_INVALID') await gate.lookAgain();
  else {
    // The page shows what the role was.
    if (code === 'ROLE_NOT_ALLOWED') void gate.lookAgain().catch(() => undefined);
    return false;
  }
  return true;
}

/** Sends a request of the API; once more when the session had changed, so that nothing typed is lost. */
async function send(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await fetchOnce(request);
  if (response.ok) return response;
  const refusal = { status: response.status, code: await codeOf(response) };
  const isDoor = new URL(request.url).pathname.startsWith('/console/v1/session');
  const isWrongPassword = isDoor && refusal.code === 'UNAUTHORIZED';
  return !isWrongPassword && (await isLetInAgain(refusal)) ? fetchOnce(again) : response;
}

/** @throws ApiError UNREACHABLE */
async function fetchOnce(request: Request): Promise<Response> {
  if (request.method !== 'GET') request.headers.set(CSRF, csrfToken);
  else if (isUntouched()) request.headers.set('x-switchboard-poll', '1');
  return fetch(request).catch(() => {
    throw new ApiError('UNREACHABLE', 'The server does not answer. Check your connection.');
  });
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
  const message =
    typeof body.message === 'string'
      ? noteOf(body.message)
      : `The server answered with status ${status}. Try again in a minute.`;
  const retryAfter = Number(headers.get('retry-after'));
  return new ApiError(code, message, {
    status,
    requestId: typeof body.requestId === 'string' ? body.requestId : (headers.get('x-request-id') ?? undefined),
    details: Array.isArray(body.details) ? (body.details as FieldFault[]) : [],
    ...(retryAfter > 0 && { retryAfterSeconds: retryAfter }),
  });
}
