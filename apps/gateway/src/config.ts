import { blobFields, blobProblems } from '@switchboard/blobs';
import { migrationFields, poolFields } from '@switchboard/database';
import {
  type ConfigOf,
  configProblems,
  defineConfig,
  encryptionKeyFields,
  flagField,
  integerField,
  portField,
  readConfig,
  secret,
  serviceFields,
} from '@switchboard/platform';
import { z } from 'zod';

const fields = {
  ...serviceFields,
  ...poolFields({ requests: 4, events: 2, background: 2 }),
  GATEWAY_PORT: portField(3000, 'Port of the public API'),
  PUBLIC_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .default('http://localhost:3000')
    .describe('Address under which customers and the upstream platform reach the API, without /v1'),
  SIMULATOR_PAGE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Address of the simulator's page, for a sandbox: the dashboard's API guide links to it"),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[\d-]+)$/, 'must begin with mailto:, https:// or tel:')
    .optional()
    .describe(
      'Where to report vulnerabilities, as mailto:, https:// or tel: address; the gateway then serves /.well-known/security.txt',
    ),
  DASHBOARD_FOLDER: z
    .string()
    .optional()
    .describe('Folder of the built dashboard; absent for the one that is delivered with the gateway'),
  UPSTREAM_APP_SECRET: secret(
    z.string().min(1).describe("Secret with which the upstream platform signs its callbacks (the app's secret)"),
  ),
  UPSTREAM_VERIFY_TOKEN: secret(
    z.string().min(1).describe('Token that the upstream platform shows when it verifies the callback address'),
  ),
  CALLBACK_RETENTION_HOURS: integerField(
    { min: 1, max: 2_160, fallback: 168 },
    "How long the upstream platform's callbacks are kept as they came, in hours; they hold what customers wrote",
  ),
  ...encryptionKeyFields,
  REDIS_URL: secret(
    z
      .url({ protocol: /^rediss?$/ })
      .optional()
      .describe(
        'Redis address, for rate limits that hold over several gateways together; without it each gateway counts for itself',
      ),
  ),
  TRUSTED_PROXY_HOPS: integerField(
    { min: 0, max: 10, fallback: 0 },
    'How many proxies in front of the gateway are ours: so many entries of X-Forwarded-For and X-Forwarded-Proto are believed; 0 believes none',
  ),
  UNKNOWN_KEYS_PER_MINUTE: integerField(
    { min: 1, max: 100_000, fallback: 60 },
    'How many API keys that do not exist one client address (of IPv6: one /64) may try per minute and gateway before it is answered 429; good keys from there go on working',
  ),
  ANONYMOUS_BODY_MB: integerField(
    { min: 8, max: 4_096, fallback: 16 },
    'How many MB the bodies of requests without an API key (callbacks and sign-ins) may take together while they arrive; one client address (of IPv6: one /64) may take half. Above it the slowest are answered 503',
  ),
  ANONYMOUS_CONNECTIONS: integerField(
    { min: 100, max: 1_000_000, fallback: 2_000 },
    'How many connections may be open over which nobody has shown a good key, session or signature; without trusted proxies one client address may have half. Above it the oldest are answered 503 and closed',
  ),
  REQUIRE_HTTPS: flagField(
    false,
    'Refuse requests that came to the outermost trusted proxy by plain HTTP (true or false); needs TRUSTED_PROXY_HOPS of at least 1, or TLS_CERT_FILE',
  ),
  TLS_CERT_FILE: z
    .string()
    .optional()
    .describe(
      'Certificate chain (PEM) with which the gateway serves HTTPS itself; absent to serve plain HTTP, as behind a proxy',
    ),
  TLS_KEY_FILE: z.string().optional().describe("The certificate's private key (PEM)"),
  TLS_RELOAD_SECONDS: integerField(
    { min: 1, max: 3_600, fallback: 10 },
    'How often both files are looked at for a renewed certificate, in seconds',
  ),
  CONNECTION_DRAIN_SECONDS: integerField(
    { min: 0, max: 60, fallback: 5 },
    'How long a gateway that stops goes on serving the connections that are open, in seconds; each answer says that its connection ends. The stop takes no longer than there are connections',
  ),
  UPLOAD_TIMEOUT_SECONDS: integerField(
    { min: 1, max: 3_600, fallback: 300 },
    'How long a customer may take to upload a file, in seconds',
  ),
  HEADER_SAMPLE_MAX_MEGABYTES: integerField(
    { min: 1, max: 100, fallback: 100 },
    "The largest sample of a template's header that the console takes, in megabytes; the platform takes pictures of 5 and videos of 16 at most",
  ),
  READS_PER_ACCOUNT: integerField(
    { min: 1, max: 1_000, fallback: 2 },
    'How many requests that read (GET, HEAD) one gateway works on at a time for one account, files aside; 50 more wait up to a second, all others are answered 429. Fewer than DATABASE_READ_CONNECTIONS of messaging leave reads of other accounts a connection',
  ),
  DOWNLOADS_PER_ACCOUNT: integerField(
    { min: 1, max: 1_000, fallback: 8 },
    'How many files (media, results of jobs) one gateway sends at a time to one account; 50 more requests wait up to a second, all others are answered 429',
  ),
  SHEETS_PER_ACCOUNT: integerField(
    { min: 1, max: 1_000, fallback: 5 },
    'How many spreadsheets of an account a gateway takes at a time, from the first byte to the answer; more are refused with 429',
  ),
  CONSOLE_SESSION_HOURS: integerField(
    { min: 1, max: 720, fallback: 12 },
    'How long somebody stays signed in to the console at most, in hours',
  ),
  CONSOLE_REQUESTS_PER_MINUTE: integerField(
    { min: 60, max: 100_000, fallback: 300 },
    'How many requests per minute one session of the console may make, half of them at once; all sessions of an account together may make five times as many',
  ),
  CONSOLE_IDLE_MINUTES: integerField(
    { min: 5, max: 1_440, fallback: 60 },
    'After how long without a request a session of the console ends, in minutes',
  ),
  ...blobFields,
};
export const settings = defineConfig('gateway', fields, (config) => [
  ...httpsProblems(config),
  ...blobProblems(config),
]);
export type GatewayConfig = ConfigOf<typeof settings>;
export const readSettings = (): GatewayConfig => readConfig(settings, process.env);

/** Demanding HTTPS where nothing tells whether it was would refuse every request. */
function httpsProblems({
  REQUIRE_HTTPS,
  TRUSTED_PROXY_HOPS,
  TLS_CERT_FILE,
  TLS_KEY_FILE,
}: ConfigOf<{ fields: typeof fields }>): string[] {
  if (!TLS_CERT_FILE !== !TLS_KEY_FILE) return ['TLS_CERT_FILE, TLS_KEY_FILE: one needs the other'];
  const tells = TRUSTED_PROXY_HOPS > 0 || TLS_CERT_FILE !== undefined;
  return REQUIRE_HTTPS && !tells
    ? ['TRUSTED_PROXY_HOPS: must be at least 1 when REQUIRE_HTTPS is true and the gateway serves no TLS itself']
    : [];
}

const BROKER_ADMIN_DOC =
  "RabbitMQ address of a login that may configure everything, with its virtual host; among the operator's commands `queues` needs it, and `doctor` uses it for the management API, for which the tag monitoring is enough";
const BROKER_MANAGEMENT_DOC =
  "Address of RabbitMQ's management API, which takes the same login; without it the services' logins are left to you, `queues` cannot list any, and `doctor` does not check the broker's nodes";

/** The operator CLI needs no more than this of the gateway's settings. */
export const opsSettings = defineConfig('operator CLI', {
  DATABASE_URL: serviceFields.DATABASE_URL,
  RABBITMQ_URL: serviceFields.RABBITMQ_URL,
  BROKER_NAMESPACE: serviceFields.BROKER_NAMESPACE,
  COMMAND_QUEUES: serviceFields.COMMAND_QUEUES,
  ...encryptionKeyFields,
  UPSTREAM_ACCESS_TOKEN: secret(
    z
      .string()
      .optional()
      .describe(
        'Upstream access token for `numbers connect`, `numbers add` and `setup`, so that it stays out of the process list',
      ),
  ),
  UPSTREAM_NUMBER_PIN: secret(
    z
      .string()
      .regex(/^[0-9]{6}$/, 'must have six digits')
      .optional()
      .describe(
        'Six digits with which `numbers connect` and `setup` register a number, so that they stay out of the process list',
      ),
  ),
  WEBHOOK_VERIFY_TOKEN: secret(
    z
      .string()
      .optional()
      .describe('Verify token of the webhook endpoint that `setup` adds, so that it stays out of the process list'),
  ),
  UPSTREAM_APP_SECRET: secret(
    z
      .string()
      .optional()
      .describe(
        "The same value as the gateway's. With it `numbers check` and `numbers connect` also look which fields the app is subscribed to at the upstream platform",
      ),
  ),
  PUBLIC_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "The same value as the gateway's. With it `numbers check` and `numbers connect` also look whether the upstream platform's callbacks go there",
    ),
  RABBITMQ_ADMIN_URL: secret(
    z
      .url({ protocol: /^amqps?$/ })
      .optional()
      .describe(BROKER_ADMIN_DOC),
  ),
  RABBITMQ_MANAGEMENT_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(BROKER_MANAGEMENT_DOC),
  SIMULATOR_ACCESS_TOKEN: secret(
    z.string().optional().describe("The simulator's access token, which `demo seed` and `demo number` need"),
  ),
  SIMULATOR_PAGE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of the simulator, to which `demo number` adds a business number'),
  SETTINGS_FILE: z
    .string()
    .optional()
    .describe(
      'Name of the file that all variables of the environment come from, as with Docker Compose; `doctor` reports those that no program reads',
    ),
});
/** Names of all variables of this process. */
export const variableNames = (environment = process.env): string[] => Object.keys(environment);

export type OpsConfig = ConfigOf<typeof opsSettings>;

/** The operator CLI's settings, or every problem they have. */
export function readOpsSettings(environment = process.env): { config: OpsConfig } | { problems: string[] } {
  const problems = configProblems(opsSettings, environment);
  return problems.length > 0 ? { problems } : { config: readConfig(opsSettings, environment) };
}

/**
 * Limits the time of a lookup of a host name. A process that exits waits for its lookups, and by the system's defaults
 * one takes 10 s and more when no name server responds. The C library reads the variable at the first lookup.
 */
export function limitHostLookups(environment = process.env): void {
  environment['RES_OPTIONS'] ??= 'timeout:2 attempts:1';
}

const loginUrlField = (login: string) =>
  secret(
    z
      .url({ protocol: /^amqps?$/ })
      .optional()
      .describe(
        `RabbitMQ address with the login of ${login}, which is made with this password when RABBITMQ_MANAGEMENT_URL is given`,
      ),
  );

/** The settings of the program that sets a broker up. */
export const brokerSettings = defineConfig('broker set-up', {
  RABBITMQ_ADMIN_URL: secret(z.url({ protocol: /^amqps?$/ }).describe(BROKER_ADMIN_DOC)),
  RABBITMQ_MANAGEMENT_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(BROKER_MANAGEMENT_DOC),
  BROKER_NAMESPACE: serviceFields.BROKER_NAMESPACE,
  COMMAND_QUEUES: serviceFields.COMMAND_QUEUES,
  GATEWAY_RABBITMQ_URL: loginUrlField('the gateway'),
  MESSAGING_RABBITMQ_URL: loginUrlField('messaging'),
  TEMPLATES_RABBITMQ_URL: loginUrlField('templates'),
  OTP_RABBITMQ_URL: loginUrlField('otp'),
  JOBS_RABBITMQ_URL: loginUrlField('jobs'),
  WEBHOOKS_RABBITMQ_URL: loginUrlField('webhooks'),
  OPERATOR_RABBITMQ_URL: loginUrlField("the operator's commands"),
});
export const readBrokerSettings = (): ConfigOf<typeof brokerSettings> => readConfig(brokerSettings, process.env);

export const migrationSettings = defineConfig('gateway', migrationFields);
export const readMigrationSettings = (): ConfigOf<typeof migrationSettings> =>
  readConfig(migrationSettings, process.env);
