import { migrationFields } from '@switchboard/database';
import {
  type ConfigOf,
  configProblems,
  defineConfig,
  encryptionKeyField,
  flagField,
  integerField,
  portField,
  readConfig,
  secret,
  serviceFields,
} from '@switchboard/platform';
import { z } from 'zod';

export const settings = defineConfig('gateway', {
  ...serviceFields,
  GATEWAY_PORT: portField(3000, 'Port of the public API'),
  PUBLIC_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .default('http://localhost:3000')
    .describe('Address under which customers and the upstream platform reach the API, without /v1'),
  UPSTREAM_APP_SECRET: secret(z.string().min(1).describe("Secret with which the upstream platform signs its callbacks (the app's secret)")),
  UPSTREAM_VERIFY_TOKEN: secret(z.string().min(1).describe('Token that the upstream platform shows when it verifies the callback address')),
  ENCRYPTION_KEY: encryptionKeyField,
  TRUSTED_PROXY_HOPS: integerField(
    { min: 0, max: 10, fallback: 0 },
    'How many proxies in front of the gateway are ours: so many entries of X-Forwarded-For and X-Forwarded-Proto are believed; 0 believes none',
  ),
  REQUIRE_HTTPS: flagField(false, 'Refuse requests that came to the outermost trusted proxy by plain HTTP (true or false); needs TRUSTED_PROXY_HOPS of at least 1'),
});
export type GatewayConfig = ConfigOf<typeof settings>;
/** The validated settings; demanding HTTPS without trusting any proxy ends the process: every request would be refused. */
export function readSettings(): GatewayConfig {
  const config = readConfig(settings, process.env);
  if (!config.REQUIRE_HTTPS || config.TRUSTED_PROXY_HOPS > 0) return config;
  process.stderr.write('gateway cannot start, its settings are not valid:\n  TRUSTED_PROXY_HOPS: must be at least 1 when REQUIRE_HTTPS is true\n');
  return process.exit(1);
}

/** The operator CLI needs no more than this of the gateway's settings. */
export const opsSettings = defineConfig('operator CLI', {
  DATABASE_URL: serviceFields.DATABASE_URL,
  RABBITMQ_URL: serviceFields.RABBITMQ_URL,
  BROKER_NAMESPACE: serviceFields.BROKER_NAMESPACE,
  ENCRYPTION_KEY: encryptionKeyField,
  UPSTREAM_ACCESS_TOKEN: secret(z.string().optional().describe('Upstream access token for `numbers add`, so that it stays out of the process list')),
  SIMULATOR_ACCESS_TOKEN: secret(z.string().optional().describe("The simulator's access token, which `demo seed` needs")),
});
export type OpsConfig = ConfigOf<typeof opsSettings>;

/** The operator CLI's settings, or every problem they have. */
export function readOpsSettings(): { config: OpsConfig } | { problems: string[] } {
  const problems = configProblems(opsSettings, process.env);
  return problems.length > 0 ? { problems } : { config: readConfig(opsSettings, process.env) };
}

export const migrationSettings = defineConfig('gateway', migrationFields);
export const readMigrationSettings = (): ConfigOf<typeof migrationSettings> => readConfig(migrationSettings, process.env);
