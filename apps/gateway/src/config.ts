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
    .describe('Public URL of the API for customers and the upstream platform, without /v1'),
  SIMULATOR_PAGE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("URL of the simulator's page in a sandbox. The dashboard's API guide links to it"),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[\d-]+)$/, 'must begin with mailto:, https:// or tel:')
    .optional()
    .describe(
      'Contact for vulnerability reports, as a mailto:, https:// or tel: URI. If set, the gateway serves /.well-known/security.txt',
    ),
  DASHBOARD_FOLDER: z
    .string()
    .optional()
    .describe('Directory of the built dashboard; unset for the one included in the gateway'),
  UPSTREAM_APP_SECRET: secret(
    z.string().min(1).describe('App secret with which the upstream platform signs its callbacks'),
  ),
  UPSTREAM_VERIFY_TOKEN: secret(
    z.string().min(1).describe('Token that the upstream platform sends when it verifies the callback URL'),
  ),
  CALLBACK_RETENTION_HOURS: integerField(
    { min: 1, max: 2_160, fallback: 168 },
    "Retention of the raw callbacks of the upstream platform, in hours. They contain the contacts' messages",
  ),
  ...encryptionKeyFields,
  REDIS_URL: secret(
    z
      .url({ protocol: /^rediss?$/ })
      .optional()
      .describe('Redis URL, to share rate limits across gateways. Without it, each gateway counts on its own'),
  ),
  TRUSTED_PROXY_HOPS: integerField(
    { min: 0, max: 10, fallback: 0 },
    'Number of trusted proxies in front of the gateway, and of trusted entries of X-Forwarded-For and X-Forwarded-Proto; 0 trusts none',
  ),
  UNKNOWN_KEYS_PER_MINUTE: integerField(
    { min: 1, max: 100_000, fallback: 60 },
    'Maximum number of unknown API keys per minute, gateway and client address (IPv6: per /64); more return 429. Valid keys from the address keep working',
  ),
  ANONYMOUS_BODY_MB: integerField(
    { min: 8, max: 4_096, fallback: 16 },
    'Maximum total size of incoming request bodies without an API key (callbacks and sign-ins), in MB. One client address (IPv6: one /64) may use half. Above the limit, the slowest requests return 503',
  ),
  ANONYMOUS_CONNECTIONS: integerField(
    { min: 100, max: 1_000_000, fallback: 2_000 },
    'Maximum number of open connections without a valid key, session or signature. Without trusted proxies, one client address may use half. Above the limit, the oldest get a 503 and are closed',
  ),
  REQUIRE_HTTPS: flagField(
    false,
    'Reject requests that reached the outermost trusted proxy over plain HTTP. Needs TRUSTED_PROXY_HOPS of at least 1, or TLS_CERT_FILE',
  ),
  TLS_CERT_FILE: z
    .string()
    .optional()
    .describe(
      'Certificate chain (PEM) with which the gateway serves HTTPS; unset to serve plain HTTP, as behind a proxy',
    ),
  TLS_KEY_FILE: z.string().optional().describe('Private key of the certificate (PEM)'),
  TLS_RELOAD_SECONDS: integerField(
    { min: 1, max: 3_600, fallback: 10 },
    'Interval at which both files are checked for a renewed certificate, in seconds',
  ),
  CONNECTION_DRAIN_SECONDS: integerField(
    { min: 0, max: 60, fallback: 5 },
    'Time that a stopping gateway serves its open connections, in seconds. Each response announces that the connection closes. The gateway stops earlier when all connections are closed',
  ),
  UPLOAD_TIMEOUT_SECONDS: integerField(
    { min: 1, max: 3_600, fallback: 300 },
    'Timeout for the upload of a file by a customer, in seconds',
  ),
  HEADER_SAMPLE_MAX_MEGABYTES: integerField(
    { min: 1, max: 100, fallback: 100 },
    'Maximum size of a template header sample in the console, in megabytes. The platform accepts images up to 5 and videos up to 16',
  ),
  READS_PER_ACCOUNT: integerField(
    { min: 1, max: 1_000, fallback: 2 },
    'Maximum number of concurrent read requests (GET, HEAD) per account and gateway, without files. 50 more wait for up to one second, and all others return 429. A value below DATABASE_READ_CONNECTIONS of messaging leaves a connection for other accounts',
  ),
  DOWNLOADS_PER_ACCOUNT: integerField(
    { min: 1, max: 1_000, fallback: 8 },
    'Maximum number of concurrent file downloads (media, job results) per account and gateway. 50 more requests wait for up to one second, and all others return 429',
  ),
  SHEETS_PER_ACCOUNT: integerField(
    { min: 1, max: 1_000, fallback: 5 },
    'Maximum number of concurrent spreadsheet uploads per account and gateway, from the first byte to the response; more return 429',
  ),
  CONSOLE_SESSION_HOURS: integerField(
    { min: 1, max: 720, fallback: 12 },
    'Maximum lifetime of a console session, in hours',
  ),
  CONSOLE_REQUESTS_PER_MINUTE: integerField(
    { min: 60, max: 100_000, fallback: 300 },
    'Maximum number of requests per minute and console session, with a burst of half. All sessions of an account together may make five times as many',
  ),
  CONSOLE_IDLE_MINUTES: integerField(
    { min: 5, max: 1_440, fallback: 60 },
    'Idle timeout of a console session, in minutes',
  ),
  LIVE_STREAMS_PER_USER: integerField(
    { min: 0, max: 1_000, fallback: 4 },
    'Maximum number of event streams per dashboard user and gateway process; more return 429. Each open tab uses one; tabs without a stream poll. Over HTTP/1.1 a browser has only six connections per host, so do not set more than 4 unless a proxy serves HTTP/2',
  ),
  LIVE_STREAMS_PER_ACCOUNT: integerField(
    { min: 0, max: 10_000, fallback: 200 },
    'Maximum number of event streams per account and gateway process; more return 429',
  ),
  LIVE_STREAMS: integerField(
    { min: 0, max: 100_000, fallback: 2_000 },
    'Maximum number of event streams per gateway process; more return 429. 0 disables event streams, so that dashboards poll',
  ),
  LIVE_HEARTBEAT_SECONDS: integerField(
    { min: 1, max: 60, fallback: 20 },
    'Heartbeat interval of event streams, in seconds, varied by up to 20 %. Idle timeouts of proxies must be longer. At each heartbeat, the gateway ends the stream if its session has ended or its role has changed',
  ),
  ...blobFields,
};
export const settings = defineConfig('gateway', fields, (config) => [
  ...httpsProblems(config),
  ...blobProblems(config),
]);
export type GatewayConfig = ConfigOf<typeof settings>;
export const readSettings = (): GatewayConfig => readConfig(settings, process.env);

/**
 * Rejects `REQUIRE_HTTPS` if the gateway cannot determine whether a request used HTTPS, since every request would be
 * rejected.
 */
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
  'RabbitMQ URL with an administrator login and the virtual host. The operator command `queues` needs it, and `doctor` uses it for the management API, for which the tag monitoring is sufficient';
const BROKER_MANAGEMENT_DOC =
  "URL of RabbitMQ's management API, used with the same login. Without it, the broker set-up does not create the services' logins, `queues` cannot list queues, and `doctor` does not check the broker's nodes";

/** Settings that the operator CLI needs. */
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
        'Upstream access token for `numbers connect`, `numbers add` and `setup`, passed here to keep it out of the process list',
      ),
  ),
  UPSTREAM_NUMBER_PIN: secret(
    z
      .string()
      .regex(/^[0-9]{6}$/, 'must have six digits')
      .optional()
      .describe(
        'Six-digit PIN with which `numbers connect` and `setup` register a number, passed here to keep it out of the process list',
      ),
  ),
  WEBHOOK_VERIFY_TOKEN: secret(
    z
      .string()
      .optional()
      .describe(
        'Verify token of the webhook endpoint that `setup` adds, passed here to keep it out of the process list',
      ),
  ),
  UPSTREAM_APP_SECRET: secret(
    z
      .string()
      .optional()
      .describe(
        'Same value as for the gateway. If set, `numbers check` and `numbers connect` also check the fields that the app subscribes to at the upstream platform',
      ),
  ),
  PUBLIC_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Same value as for the gateway. If set, `numbers check` and `numbers connect` also check that the upstream platform sends its callbacks there',
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
    z.string().optional().describe('Access token of the simulator, needed by `demo seed` and `demo number`'),
  ),
  SIMULATOR_PAGE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('URL of the simulator, to which `demo number` adds a business number'),
  SETTINGS_FILE: z
    .string()
    .optional()
    .describe(
      'Name of the file that sets all environment variables, as with Docker Compose. `doctor` reports variables that no program reads',
    ),
});
/** Returns the names of all variables of this process. */
export const variableNames = (environment = process.env): string[] => Object.keys(environment);

export type CliConfig = ConfigOf<typeof opsSettings>;

/** Reads the settings of the operator CLI, or returns all problems with them. */
export function readCliSettings(environment = process.env): { config: CliConfig } | { problems: string[] } {
  const problems = configProblems(opsSettings, environment);
  return problems.length > 0 ? { problems } : { config: readConfig(opsSettings, environment) };
}

/**
 * Limits the time of host name lookups. A process waits for pending lookups before it exits, and by default a lookup
 * takes 10 s or more when no name server responds. The C library reads the variable at its first lookup.
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
        `RabbitMQ URL with the login of ${login}. If RABBITMQ_MANAGEMENT_URL is set, the login is created with this password`,
      ),
  );

/** Settings of the broker set-up program. */
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
