import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { CONSOLE_ONLY_CODES, type ErrorCode } from '@switchboard/contracts';
import { errorExamples, HEADERS } from '../openapi/error-responses';
import { completePaths, type OperationDefaults, pathsBelow } from '../openapi/operations';
import { errorBodyOf } from '../openapi/common-bodies';
import { SchemaRegistry } from '../openapi/schema-registry';

/** Error codes of the console API. */
export const CONSOLE_ERRORS: ErrorCode[] = [
  ...CONSOLE_ONLY_CODES,
  'MISSING_FIELD',
  'INVALID_PARAMETER',
  'INVALID_JSON',
  'UNAUTHORIZED',
  'HTTPS_REQUIRED',
  'ACCOUNT_SUSPENDED',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'RATE_LIMITED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'TEXT_TOO_LONG',
  'INVALID_LINK',
  'INVALID_VALUE',
  'INTERNAL',
  'UNAVAILABLE',
  'OUTCOME_UNKNOWN',
  'UPSTREAM_THROTTLED',
  'UPSTREAM_ERROR',
  'UPSTREAM_TIMEOUT',
  'UNSUPPORTED_MEDIA',
  'FILE_INVALID',
  'INVALID_PHONE',
  'RECIPIENT_OPTED_OUT',
  'RECIPIENT_BLOCKED',
  'SPEND_CAP_REACHED',
  'RATE_UNKNOWN',
  'NUMBER_STOPPED',
  'TEMPLATE_NOT_FOUND',
  'TEMPLATE_NOT_APPROVED',
  'TEMPLATE_PARAMS_MISMATCH',
  'WINDOW_CLOSED',
  'CAPTION_NOT_ALLOWED',
  'FEATURE_NOT_IN_PLAN',
  'RANGE_NOT_SATISFIABLE',
  'IDEMPOTENCY_IN_PROGRESS',
  'IDEMPOTENCY_MISMATCH',
  'JOB_STATE_CONFLICT',
  'BULK_LIMIT_EXCEEDED',
  'MEDIA_IN_USE',
  'MEDIA_QUOTA_EXCEEDED',
] as const;

const DESCRIPTION = `API of the gateway for the dashboard. It is not intended for customers' servers and is not versioned like the public API: dashboard and gateway are released together.

Signing in sets a session cookie. Every request that changes something must carry the session's CSRF token, which signing in and \`GET /console/v1/me\` return. While an account is suspended, its users can only sign out; all other requests are rejected with \`ACCOUNT_SUSPENDED\`.

The dashboard marks its automatically repeated reads with the header \`X-Switchboard-Poll\`. These do not count as session activity, so an idle dashboard is signed out after the idle limit.`;

const CSRF_TOKEN = {
  name: 'X-CSRF-Token',
  in: 'header',
  required: true,
  description: 'CSRF token of the session',
  schema: { type: 'string' },
};

const CONSOLE_DEFAULTS: OperationDefaults = {
  commonErrors: [
    'INVALID_PARAMETER',
    'UNAUTHORIZED',
    'HTTPS_REQUIRED',
    'ACCOUNT_SUSPENDED',
    'RATE_LIMITED',
    'INTERNAL',
    'UNAVAILABLE',
  ] satisfies ErrorCode[],
  headers: ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  changing: {
    methods: ['post', 'put', 'patch', 'delete'],
    errors: ['CSRF_TOKEN_INVALID', 'ROLE_NOT_ALLOWED', 'OUTCOME_UNKNOWN'],
    parameter: { $ref: '#/components/parameters/CsrfToken' },
    headers: [],
  },
};

/** Builds the OpenAPI 3.1 description of the console API. */
export function describeConsole(app: INestApplication): OpenAPIObject {
  const options = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Switchboard console')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .addServer('/', 'This installation')
    .addCookieAuth(
      'switchboard_session',
      { type: 'apiKey', description: 'Named `__Host-switchboard_session` when served over HTTPS' },
      'session',
    )
    .build();
  const { components, paths, ...document } = SwaggerModule.createDocument(app, options);
  const registry = new SchemaRegistry();
  registry.refTo(errorBodyOf(CONSOLE_ERRORS));
  const completed = completePaths(byPath(pathsBelow('/console/', paths)), registry, CONSOLE_DEFAULTS);
  const shared = {
    schemas: registry.schemas,
    examples: errorExamples(CONSOLE_ERRORS),
    headers: HEADERS,
    parameters: { CsrfToken: CSRF_TOKEN },
  };
  return {
    ...document,
    paths: completed,
    components: { ...components, ...shared },
  } as unknown as OpenAPIObject;
}

/** Sorts paths alphabetically, whatever the order of the modules. */
function byPath(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  return Object.fromEntries(Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1)));
}
