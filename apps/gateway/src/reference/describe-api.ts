import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { errorExamples, HEADERS, PUBLIC_CODES } from '../openapi/error-responses';
import { errorBodyOf, OtpInvalid, Warning } from '../openapi/common-bodies';
import { API_DEFAULTS, completePaths, pathsBelow } from '../openapi/operations';
import { refToName, SchemaRegistry } from '../openapi/schema-registry';
import { apiRoutes } from './api-routes';
import { REQUEST_EXAMPLES } from './request-examples';
import { webhooksSection } from './webhooks-section';

const DESCRIPTION = `Send business messages, retrieve them, and verify one-time passwords.

Every response is a JSON object with \`success\`. An error has \`message\`, \`code\`, \`details\` and \`requestId\`. Fields may be added to any response. Unknown fields and query parameters of a request are ignored and listed in \`warnings\` of the response. Every response has the header \`X-Request-Id\`, and every response to a request with a valid key has \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`. While an account is suspended, all of its requests return 403 \`ACCOUNT_SUSPENDED\`.

A 503 means that the request was not and will not be executed. Retry the request after \`Retry-After\` seconds. A 504 means that the outcome is unknown. Retry the request with its \`Idempotency-Key\`, so that it is executed only once. Without a key, first check whether the request was executed.`;

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes retries safe: within 24 hours, requests with the same key and body are executed once. A retry of a completed request returns the first response. After a 504 or a lost response, a retry returns the outcome of the first request. After an error, a retry is executed as a new request.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** Builds the OpenAPI 3.1 description of the public API from the decorators of routes and body classes. */
export function describeApi(app: INestApplication, publicBaseUrl: string): OpenAPIObject {
  const options = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Switchboard')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    // The absolute URL must be first, since tools that import a description use the first server.
    .addServer(publicBaseUrl, 'Public address of this installation')
    .addServer('/', 'Server that this description was loaded from')
    .addTag('Messages', 'Send single messages, retrieve messages, mark messages as read')
    .addTag('Jobs', 'Send to many recipients in bulk requests or spreadsheets')
    .addTag('One-time passwords', 'Send and verify codes')
    .addTag('Templates', 'Approved templates, which are managed in the dashboard')
    .addTag('Conversations', 'Message threads with contacts')
    .addTag('Contacts', 'Contacts, their service windows, opt-outs and labels; blocked contacts')
    .addTag('Media', 'Files received from customers')
    .addTag('Events', 'Webhook events sent to your endpoints')
    .addTag('Account', 'API key permissions and platform notices')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'sb_live_…', description: 'API key' })
    .build();
  const { components, paths, ...document } = SwaggerModule.createDocument(app, options);
  const registry = new SchemaRegistry({ warnings: { type: 'array', items: refToName('Warning') } });
  for (const type of [Warning, OtpInvalid, errorBodyOf(PUBLIC_CODES)]) registry.refTo(type);
  const completed = completePaths(inOrder(pathsBelow('/v1/', paths)), registry, {
    ...API_DEFAULTS,
    examples: REQUEST_EXAMPLES,
  });
  const text = JSON.stringify(completed);
  const webhooks = webhooksSection(registry);
  const shared = {
    schemas: registry.schemas,
    examples: errorExamples(PUBLIC_CODES.filter((code) => text.includes(`examples/${code}"`))),
    headers: HEADERS,
    parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
  };
  // The library has OpenAPI 3.0 types, but the schemas are OpenAPI 3.1.
  return {
    ...document,
    paths: completed,
    webhooks,
    components: { ...components, ...shared },
  } as unknown as OpenAPIObject;
}

/** Sorts paths in the order of `V1_CONTROLLERS`, whatever the order of the modules. */
function inOrder(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  const known = apiRoutes().map(({ path }) => path.replace(/:(\w+)/g, '{$1}'));
  const entries = Object.entries(paths);
  return Object.fromEntries(entries.sort(([one], [other]) => known.indexOf(one) - known.indexOf(other)));
}
