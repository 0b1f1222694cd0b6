import createClient from 'openapi-fetch';
import { noteOf } from '../lib/sentences';
import type { components, paths } from './schema';
import { isUntouched } from '../lib/user-activity';

export type Schemas = components['schemas'];
export type Role = Schemas['User']['role'];
export type Me = Schemas['Me'];

/** Validation error of one request field. */
export interface FieldFault {
  field: string;
  message: string;
}

/** An API error response, or a request that never reached the API (`UNREACHABLE`). */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly more: {
      status?: number;
      requestId?: string;
      details?: FieldFault[];
      retryAfterSeconds?: number;
      /** Whole body, for the additional fields of some errors. */
      body?: Record<string, unknown>;
    } = {},
  ) {
    super(message);
  }

  faultOf(field: string): string | undefined {
    return this.more.details?.find((detail) => detail.field === field)?.message;
  }
}

const CSRF = 'x-csrf-token';

let csrfToken = '';
/** Callbacks for a session that changed while the page was open. */
let gate: Gate = {
  signInAgain: () => Promise.reject(new ApiError('UNAUTHORIZED', 'You are not signed in.')),
  lookAgain: () => Promise.resolve(),
};

interface Gate {
  /** Shows the sign-in dialog over the page; resolves after the user has signed in again. */
  signInAgain(): Promise<void>;
  /** Reloads the current user: another tab may have signed in, or the role may have changed. */
  lookAgain(): Promise<void>;
}

export function keepCsrfToken(token: string): void {
  csrfToken = token;
}

/** @param given callbacks that requests use when the session has changed under the page */
export function setGate(given: Gate): void {
  gate = given;
}

export const csrfHeader = (): [name: string, value: string] => [CSRF, csrfToken];

interface RejectedRequest {
  status: number;
  code: unknown;
  /** CSRF token of the session when the request was sent. */
  sentWith: string;
}

/**
 * Recovers from a session that has ended or that another tab has replaced. Both errors mean that the server did
 * nothing.
 * @returns whether the rejected request should be sent again
 */
export async function isLetInAgain({ status, code, sentWith }: RejectedRequest): Promise<boolean> {
  if (code === 'UNAUTHORIZED' && status === 401) {
    // The user may have signed in again since the request was sent.
    if (sentWith === csrfToken) await gate.signInAgain();
  } else if (code === 'CSRF_TOKEN_INVALID') await gate.lookAgain();
  else {
    // The page still shows the old role.
    if (code === 'ROLE_NOT_ALLOWED') void gate.lookAgain().catch(() => undefined);
    return false;
  }
  return true;
}

/** Sends an API request, and sends it again after the session was recovered, so that no input is lost. */
async function send(request: Request): Promise<Response> {
  const again = request.clone();
  const sentWith = csrfToken;
  const response = await fetchOnce(request);
  if (response.ok) return response;
  const refusal = { status: response.status, code: await codeOf(response), sentWith };
  const isDoor = new URL(request.url).pathname.startsWith('/console/v1/session');
  const isWrongPassword = isDoor && refusal.code === 'UNAUTHORIZED';
  return !isWrongPassword && (await isLetInAgain(refusal)) ? fetchOnce(again) : response;
}

/** @throws ApiError UNREACHABLE */
async function fetchOnce(request: Request): Promise<Response> {
  if (request.method !== 'GET') request.headers.set(CSRF, csrfToken);
  else if (isUntouched()) request.headers.set('x-switchboard-poll', '1');
  return fetch(request).catch(() => {
    throw new ApiError('UNREACHABLE', 'The server does not respond. Check your connection.');
  });
}

async function codeOf(response: Response): Promise<unknown> {
  const body = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { code?: unknown };
  return body.code;
}

/** Console API client, typed by its OpenAPI description. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: send });

interface Result<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** Returns the response data. @throws ApiError for an error response */
export async function must<Data>(sent: Promise<Result<Data>>): Promise<Data> {
  const { data, error, response } = await sent;
  if (response.ok && data !== undefined) return data;
  throw toApiError(error, response);
}

export function toApiError(error: unknown, { status, headers }: Pick<Response, 'status' | 'headers'>): ApiError {
  const body = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  const code = typeof body.code === 'string' ? body.code : 'UNAVAILABLE';
  const message =
    typeof body.message === 'string'
      ? noteOf(body.message)
      : `The server returned status ${status}. Try again in a minute.`;
  const retryAfter = Number(headers.get('retry-after'));
  return new ApiError(code, message, {
    status,
    body,
    requestId: typeof body.requestId === 'string' ? body.requestId : (headers.get('x-request-id') ?? undefined),
    details: Array.isArray(body.details) ? (body.details as FieldFault[]) : [],
    ...(retryAfter > 0 && { retryAfterSeconds: retryAfter }),
  });
}
