import {
  AppError,
  CONSOLE_ONLY_CODES,
  type ErrorCode,
  ERRORS,
  parseBody,
  type Schema,
  SendOtpRequest,
} from '@switchboard/contracts';
import { oneOf, refToName } from './schema-registry';

/** Errors common to all API calls. */
export const COMMON_ERRORS = [
  'INVALID_PARAMETER',
  'UNAUTHORIZED',
  'HTTPS_REQUIRED',
  'IP_NOT_ALLOWED',
  'ROUTE_NOT_ALLOWED',
  'ACCOUNT_SUSPENDED',
  'RATE_LIMITED',
  'INTERNAL',
  'UNAVAILABLE',
] satisfies ErrorCode[];
/** Errors common to all POST requests: of Idempotency-Keys, and unknown outcomes. */
export const POST_ERRORS = [
  'IDEMPOTENCY_IN_PROGRESS',
  'IDEMPOTENCY_MISMATCH',
  'INVALID_VALUE',
  'OUTCOME_UNKNOWN',
] satisfies ErrorCode[];
/** Errors common to all bodies, before their validation. */
export const BODY_ERRORS = [
  'INVALID_JSON',
  'INVALID_VALUE',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
] satisfies ErrorCode[];

/** Schemas of errors with additional fields, by error code. */
const OWN_SCHEMAS: Partial<Record<ErrorCode, string>> = { OTP_INVALID: 'OtpInvalid' };
const REQUEST_ID = 'req_01jd0000000000000000000000';

export interface Response {
  description: string;
  headers: Record<string, { $ref: string }>;
  content: Record<string, { schema: Schema; examples: Record<string, { $ref: string }> }>;
}

/** Returns one response per status of the codes. */
export function errorResponses(codes: readonly ErrorCode[], headers: HeaderName[]): Record<string, Response> {
  const inOrder = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.includes(code));
  const statuses = [...new Set(inOrder.map((code) => ERRORS[code].status as number))];
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      responseOf(
        status,
        inOrder.filter((code) => ERRORS[code].status === status),
        headers,
      ),
    ]),
  );
}

function responseOf(status: number, codes: ErrorCode[], headers: HeaderName[]): Response {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  return {
    description: codes.map((code) => `\`${code}\`: ${descriptionOf(code)}`).join('\n\n'),
    headers: {
      // Common headers are described once, with the successful responses. Only those that clients act on are repeated
      // here.
      ...(status === 429 && headersOf(...headers)),
      ...(status === 401 && headersOf('WWW-Authenticate')),
      ...([429, 503, 504].includes(status) && headersOf('Retry-After')),
    },
    content: { 'application/json': { schema: schemaOf(codes), examples } },
  };
}

/** Returns the common error schema restricted to these codes, or the specific schema of a code. */
function schemaOf(codes: ErrorCode[]): Schema {
  const common = codes.filter((code) => OWN_SCHEMAS[code] === undefined);
  const own = codes.flatMap((code) => OWN_SCHEMAS[code] ?? []);
  const alternatives = [
    ...(common.length > 0
      ? [
          {
            title: 'Error',
            allOf: [refToName('Error'), { type: 'object' as const, properties: { code: { enum: common } } }],
          },
        ]
      : []),
    ...own.map((name) => refToName(name)),
  ];
  return oneOf(alternatives);
}

/** Descriptions of errors whose message needs more context for a reader of the API description. */
const DESCRIPTIONS: Readonly<Partial<Record<ErrorCode, string>>> = {
  PHONE_REQUIRED: 'authentication templates require a phone number; they cannot be sent to a user id',
  MEDIA_QUOTA_EXCEEDED: 'the uploaded files of the account exceed its storage quota',
  RANGE_NOT_SATISFIABLE: 'the requested range is outside the file',
  UPSTREAM_THROTTLED: 'the upstream platform throttled the request',
  OUTCOME_UNKNOWN: 'the outcome is unknown: the request may have been executed. Check before you repeat it',
  UPSTREAM_TIMEOUT:
    'the upstream platform did not respond in time, so the outcome is unknown. For a send, the service determines the outcome automatically',
};

function descriptionOf(code: ErrorCode): string {
  return DESCRIPTIONS[code] ?? ERRORS[code].message;
}

/** Error codes of the public API. */
export const PUBLIC_CODES = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => !CONSOLE_ONLY_CODES.includes(code));

/** Requests whose validation gives the examples of errors about fields, so that the examples are real responses. */
const INVALID_REQUESTS = [
  {},
  { to: '919812345678', otp: '482913', expiryMinutes: 'ten' },
  { to: '+91 98123 45678', otp: '482913' },
];

/** Returns errors of a validation, by code. */
function validationErrors(): Map<string, AppError> {
  const found = new Map<string, AppError>();
  for (const request of INVALID_REQUESTS) {
    try {
      parseBody(SendOtpRequest, request);
    } catch (error) {
      if (error instanceof AppError) found.set(error.code, error);
    }
  }
  return found;
}

/** Returns examples of the API's errors, for `components.examples`. */
export function errorExamples(
  codes: readonly ErrorCode[] = PUBLIC_CODES,
): Record<string, { summary: string; value: object }> {
  const invalid = validationErrors();
  return Object.fromEntries(
    codes.map((code) => {
      const { message, details = [] } = invalid.get(code) ?? new AppError(code);
      const more = code === 'OTP_INVALID' ? { verified: false, attemptsRemaining: 4 } : {};
      return [
        code,
        {
          summary: descriptionOf(code),
          value: { success: false, ...more, message, code, details, requestId: REQUEST_ID },
        },
      ];
    }),
  );
}

export function headersOf(...names: HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Response headers, for `components.headers`. */
export const HEADERS = {
  'X-RateLimit-Limit': { description: 'Requests per window', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': {
    description: 'Requests that can be made now',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Reset': {
    description: 'Unix time in seconds at which the full limit is available again if no further requests are made',
    schema: { type: 'integer' },
  },
  'X-Request-Id': {
    description:
      'ID of the request; include it in support requests. A valid `X-Request-Id` of the request (letters, digits, `_`, `.`, `-`; at most 128 characters) is returned unchanged',
    schema: { type: 'string' },
  },
  'WWW-Authenticate': { description: 'Authentication scheme', schema: { type: 'string', const: 'Bearer' } },
  'Retry-After': { description: 'Number of seconds to wait before the next attempt', schema: { type: 'integer' } },
  'Idempotency-Replay': {
    description: '`true` if this is the stored response to an earlier request with the same Idempotency-Key',
    schema: { type: 'string', const: 'true' },
  },
} as const;

export type HeaderName = keyof typeof HEADERS;
