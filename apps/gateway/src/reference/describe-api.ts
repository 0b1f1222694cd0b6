import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { errorExamples, HEADERS, PUBLIC_CODES } from '../openapi/error-responses';
import { errorBodyOf, OtpInvalid, Warning } from '../openapi/common-bodies';
import { API_DEFAULTS, completePaths, pathsBelow } from '../openapi/operations';
import { refToName, SchemaRegistry } from '../openapi/schema-registry';
import { apiRoutes } from './api-routes';
import { REQUEST_EXAMPLES } from './request-examples';
import { webhooksSection } from './webhooks-section';

const DESCRIPTION = `Send business messages, read them back, verify one-time passwords.

Every answer is JSON with \`success\`. An error has \`message\`, \`code\`, \`details\` and \`requestId\`. Fields may be added to any answer. Unknown fields and query parameters of a request are ignored, and the answer names them in \`warnings\`. Every answer has the header \`X-Request-Id\`, and every answer to a valid key \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`. While an account is suspended, all of its calls are answered 403 \`ACCOUNT_SUSPENDED\`.

A 503 says that nothing was done and nothing will be: repeat the request after \`Retry-After\`. A 504 says that the outcome is unknown: repeat the request with its \`Idempotency-Key\`, and it is carried out once; without a key, look first whether it was done.`;

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes a repeat safe: for 24 hours a request with the same key and body is carried out once. A repeat of what was carried out gets the first answer. After a 504, or no answer, it finds what the first request did; after a refusal it is judged anew.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** Builds the OpenAPI 3.1 description of the public API from the decorators of its routes and body classes. */
export function describeApi(app: INestApplication, publicBaseUrl: string): OpenAPIObject {
  const options = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Switchboard')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    // Absolute address first, since tools that import a description use the first server.
    .addServer(publicBaseUrl, 'The public address of this installation')
    .addServer('/', 'The server that this description came from')
    .addTag('Messages', 'Send single messages, read records, mark messages as read')
    .addTag('Jobs', 'Send to many people: bulk calls and spreadsheets')
    .addTag('One-time passwords', 'Send codes and verify them')
    .addTag('Templates', 'Approved templates; the dashboard makes them')
    .addTag('Conversations', 'Threads with people')
    .addTag('Contacts', 'People, their service windows and opt-outs; blocked people')
    .addTag('Media', 'Files that customers sent')
    .addTag('Events', 'What your endpoint receives')
    .addTag('Account', 'What the key may do, and notices of the platform')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'sb_live_…', description: 'An API key' })
    .build();
  const { components, paths, ...document } = SwaggerModule.createDocument(app, options);
  const registry = new SchemaRegistry({ warnings: { type: 'array', items: refToName('Warning') } });
  for (const type of [Warning, OtpInvalid, errorBodyOf(PUBLIC_CODES)]) registry.refTo(type);
  const completed = completePaths(inOrder(pathsBelow('/v1/', paths)), registry, {
    ...API_DEFAULTS,
    examples: REQUEST_EXAMPLES,
  });
  const webhooks = webhooksSection(registry);
  const shared = {
    schemas: registry.schemas,
    examples: errorExamples(PUBLIC_CODES.filter((code) => JSON.stringify(completed).includes(`examples/${code}"`))),
    headers: HEADERS,
    parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
  };
  // The library's types are those of OpenAPI 3.0; the schemas are of 3.1.
  return {
    ...document,
    paths: completed,
    webhooks,
    components: { ...components, ...shared },
  } as unknown as OpenAPIObject;
}

/** Sorts paths in the order of `V1_CONTROLLERS`, independent of the modules. */
function inOrder(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  const known = apiRoutes().map(({ path }) => path.replace(/:(\w+)/g, '{$1}'));
  const entries = Object.entries(paths);
  return Object.fromEntries(entries.sort(([one], [other]) => known.indexOf(one) - known.indexOf(other)));
}
