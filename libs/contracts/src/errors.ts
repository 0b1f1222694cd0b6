/**
 * All errors of the public API and the console: HTTP status and default message by code. Statuses and messages are
 * defined only here (spec §6.2, §6.3).
 */
export const ERRORS = {
  MISSING_FIELD: { status: 400, message: 'a required field is missing' },
  INVALID_PARAMETER: { status: 400, message: 'invalid parameter' },
  INVALID_JSON: { status: 400, message: 'the body is not valid JSON' },
  TEMPLATE_NOT_FOUND: { status: 400, message: 'template not found or not approved' },
  TEMPLATE_NOT_APPROVED: { status: 400, message: 'template not found or not approved' },
  TEMPLATE_PARAMS_MISMATCH: { status: 400, message: 'template parameters do not match the template' },
  WINDOW_CLOSED: {
    status: 400,
    message: 'the 24-hour customer service window is closed: only template messages can be sent to this recipient',
  },
  PHONE_REQUIRED: {
    status: 400,
    message: 'this message needs a phone number: authentication templates do not go to a user id',
  },
  CAPTION_NOT_ALLOWED: { status: 400, message: 'caption is not allowed for this message type' },
  MEDIA_NOT_FOUND: { status: 400, message: 'no such uploaded file, or it has been deleted' },
  UNSUPPORTED_MEDIA: { status: 400, message: 'this kind of media is not supported' },
  FILE_INVALID: { status: 400, message: 'the file cannot be read' },
  BULK_LIMIT_EXCEEDED: { status: 400, message: 'too many recipients for your plan' },
  OTP_INVALID: { status: 400, message: 'invalid or expired OTP' },
  UNAUTHORIZED: { status: 401, message: 'missing or invalid API key' },
  SIGN_IN_FAILED: { status: 401, message: 'wrong e-mail address or password' },
  FEATURE_NOT_IN_PLAN: { status: 403, message: 'feature not available in your plan' },
  IP_NOT_ALLOWED: { status: 403, message: 'this address may not use the API key' },
  ACCOUNT_SUSPENDED: { status: 403, message: 'the account is suspended' },
  ROUTE_NOT_ALLOWED: { status: 403, message: 'this API key may not use this route' },
  INSUFFICIENT_CREDITS: { status: 403, message: 'not enough credits' },
  SPEND_CAP_REACHED: { status: 403, message: 'the spend cap is reached' },
  RECIPIENT_OPTED_OUT: { status: 403, message: 'the recipient has opted out' },
  RECIPIENT_BLOCKED: {
    status: 403,
    message: 'this business number has blocked the recipient at the upstream platform: unblock them first',
  },
  MEDIA_QUOTA_EXCEEDED: { status: 403, message: 'the uploaded files of the account take too much space' },
  HTTPS_REQUIRED: { status: 403, message: 'HTTPS is required' },
  ROLE_NOT_ALLOWED: { status: 403, message: 'your role does not allow this' },
  CSRF_TOKEN_INVALID: { status: 403, message: 'the CSRF token is missing or wrong' },
  NOT_FOUND: { status: 404, message: 'not found' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'method not allowed' },
  IDEMPOTENCY_IN_PROGRESS: { status: 409, message: 'a request with this Idempotency-Key is still running' },
  NUMBER_STOPPED: { status: 409, message: 'the business number is stopped' },
  MEDIA_IN_USE: { status: 409, message: 'an unfinished job uses the file' },
  ASSIGNEE_CHANGED: { status: 409, message: 'another user has changed the assignment' },
  JOB_STATE_CONFLICT: { status: 409, message: "the job's state does not allow this" },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'the body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'this content type is not supported' },
  RANGE_NOT_SATISFIABLE: { status: 416, message: 'the file has no such part' },
  INVALID_PHONE: { status: 422, message: 'phone number format is invalid' },
  TEXT_TOO_LONG: { status: 422, message: 'the text is too long' },
  INVALID_LINK: { status: 422, message: 'the link is invalid' },
  INVALID_VALUE: { status: 422, message: 'invalid value' },
  RATE_UNKNOWN: {
    status: 422,
    message: 'the rate card has no rate for this message, so it cannot be sent under a spend cap',
  },
  IDEMPOTENCY_MISMATCH: { status: 422, message: 'this Idempotency-Key was used with another body' },
  RATE_LIMITED: { status: 429, message: 'rate limit exceeded' },
  SIGN_IN_LOCKED: { status: 429, message: 'too many failed sign-ins' },
  OTP_MAX_ATTEMPTS: { status: 429, message: 'too many failed OTP attempts' },
  OTP_TOO_MANY_SENDS: { status: 429, message: 'too many OTPs sent to this number' },
  UPSTREAM_THROTTLED: { status: 429, message: 'the upstream platform is throttling' },
  INTERNAL: { status: 500, message: 'internal server error' },
  UPSTREAM_ERROR: { status: 502, message: 'the upstream platform failed' },
  UNAVAILABLE: { status: 503, message: 'the service is temporarily unavailable' },
  OUTCOME_UNKNOWN: {
    status: 504,
    message: 'the outcome is unknown: the request may have been carried out. Check before you repeat it',
  },
  UPSTREAM_TIMEOUT: {
    status: 504,
    message: 'the upstream platform did not respond in time; the outcome is unknown and is being reconciled',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** Error codes that only console users can receive; the description of the public API omits them. */
export const CONSOLE_ONLY_CODES: readonly ErrorCode[] = [
  'SIGN_IN_FAILED',
  'ROLE_NOT_ALLOWED',
  'CSRF_TOKEN_INVALID',
  'SIGN_IN_LOCKED',
  'ASSIGNEE_CHANGED',
];

/** Rejected field, as listed under `details` of an error body. */
export interface ErrorDetail {
  field: string;
  message: string;
}

/** Additional top-level fields of an error body, for example `verified` or the error of the upstream platform. */
export type ErrorExtra = Record<string, string | number | boolean | object>;

export interface AppErrorOptions {
  /** Replaces the default message of the code; must not contain internals or personal data. */
  message?: string;
  details?: ErrorDetail[];
  /** Value of `Retry-After`: seconds until the caller may retry. */
  retryAfterSeconds?: number;
  extra?: ErrorExtra;
  cause?: unknown;
}

/** Serialized form of an AppError between services. */
export interface AppErrorBody {
  code: ErrorCode;
  message: string;
  details?: ErrorDetail[];
  retryAfterSeconds?: number;
  extra?: ErrorExtra;
}

/** Error with a public code; the only error class that reaches callers unchanged. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details?: ErrorDetail[];
  readonly retryAfterSeconds?: number;
  readonly extra?: ErrorExtra;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.extra = options.extra;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  /** Returns the serializable form for other services, without the cause. */
  toBody(): AppErrorBody {
    const { code, message, details, retryAfterSeconds, extra } = this;
    return { code, message, details, retryAfterSeconds, extra };
  }

  /** Restores an error that another service returned. Maps unknown codes to INTERNAL. */
  static fromBody(body: AppErrorBody): AppError {
    const { code, ...options } = body;
    return code in ERRORS ? new AppError(code, options) : new AppError('INTERNAL');
  }
}

/**
 * Returns a NOT_FOUND error for an object that does not exist or belongs to another account; the message does not
 * reveal which.
 * @param noun kind of object, for example `message`
 */
export function notFound(noun: string): AppError {
  return new AppError('NOT_FOUND', { message: `${ERRORS.NOT_FOUND.message}: no such ${noun}` });
}

/** Prepends a missing field to the details of a validation error. */
export function alsoMissing(error: AppError, field: string): AppError {
  const missing = { field, message: `${field} is required` };
  return new AppError('MISSING_FIELD', { message: missing.message, details: [missing, ...(error.details ?? [])] });
}

/** Returns the error for a template that does not exist in a language. Lists the languages that do exist. */
export function templateMissing(name: string, languages: readonly string[]): AppError {
  const reason =
    languages.length === 0 ? 'no approved template has this name' : `${name} has the languages ${languages.join(', ')}`;
  return new AppError('TEMPLATE_NOT_FOUND', { message: `${ERRORS.TEMPLATE_NOT_FOUND.message}: ${reason}` });
}
