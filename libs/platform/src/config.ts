import { z } from 'zod';
import { LOG_LEVELS } from './logging';

export type ConfigFields = Record<string, z.ZodType>;

export interface ConfigDefinition<Fields extends ConfigFields = ConfigFields> {
  readonly owner: string;
  readonly fields: Fields;
  /** Returns the problems of individually valid settings that conflict, one line each: `NAME: what is wrong`. */
  together?(config: ConfigValues<Fields>): string[];
}

type ConfigValues<Fields extends ConfigFields> = { readonly [Name in keyof Fields]: z.infer<Fields[Name]> };

export type ConfigOf<Definition> = Definition extends { readonly fields: infer Fields extends ConfigFields }
  ? ConfigValues<Fields>
  : never;

const secretFields = z.registry<{ secret: true }>();

/**
 * Declares the settings of one program. They are read from environment variables with the names of the fields.
 * @param together returns the problems of individually valid settings that conflict
 * @throws Error when a field has no description, because the documentation is generated from them
 */
export function defineConfig<Fields extends ConfigFields>(
  owner: string,
  fields: Fields,
  together?: (config: ConfigValues<Fields>) => string[],
): ConfigDefinition<Fields> {
  const undescribed = Object.keys(fields).filter((name) => !fields[name]?.description);
  if (undescribed.length > 0) throw new Error(`${owner}: settings without a description: ${undescribed.join(', ')}`);
  return { owner, fields, ...(together && { together }) };
}

/** Marks a setting whose value must never be shown. Call it last, because it marks this schema instance only. */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  secretFields.add(schema, { secret: true });
  return schema;
}

export function isSecret(schema: z.ZodType): boolean {
  return secretFields.has(schema);
}

/** Returns all problems of an environment, one line each; empty when the environment is valid. */
export function configProblems(definition: ConfigDefinition, environment: NodeJS.ProcessEnv): string[] {
  const result = z.object(definition.fields).safeParse(withoutEmpty(environment));
  if (result.success) return definition.together?.(result.data) ?? [];
  return result.error.issues.map((issue) => {
    const name = issue.path.map(String).join('.');
    const missing = !environment[name];
    return `${name}: ${missing ? 'is required' : issue.message} (${definition.fields[name]?.description ?? ''})`;
  });
}

/** Returns the validated settings. If any are invalid, prints all problems and exits with code 1. */
export function readConfig<Fields extends ConfigFields>(
  definition: ConfigDefinition<Fields>,
  environment: NodeJS.ProcessEnv,
): ConfigOf<ConfigDefinition<Fields>> {
  const problems = configProblems(definition, environment);
  if (problems.length > 0) {
    process.stderr.write(
      `${definition.owner} cannot start, its settings are not valid:\n${problems.map((problem) => `  ${problem}\n`).join('')}`,
    );
    process.exit(1);
  }
  return Object.freeze(z.object(definition.fields).parse(withoutEmpty(environment))) as ConfigOf<
    ConfigDefinition<Fields>
  >;
}

/** Treats empty variables as absent, because Compose and Kubernetes pass unset variables that way. */
function withoutEmpty(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
}

export function portField(fallback: number, description: string) {
  return z.coerce.number().int().min(0).max(65_535).default(fallback).describe(description);
}

/** Boolean setting that accepts only `true` or `false`. */
export function flagField(fallback: boolean, description: string) {
  return z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .default(fallback)
    .describe(description);
}

/** Integer setting with a range. The description names its unit. */
export function integerField(range: { min: number; max: number; fallback: number }, description: string) {
  return z.coerce.number().int().min(range.min).max(range.max).default(range.fallback).describe(description);
}

const encryptionKey = z
  .string()
  .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64');

/** Keys for stored secrets, identical for all services that share them. */
export const encryptionKeyFields = {
  ENCRYPTION_KEY: secret(
    encryptionKey.describe(
      'Key that encrypts upstream tokens and webhook secrets at rest: 32 random bytes in base64 (openssl rand -base64 32). docs/encryption-keys.md describes the rotation',
    ),
  ),
  ENCRYPTION_KEY_PREVIOUS: secret(
    encryptionKey
      .optional()
      .describe(
        'During a rotation of ENCRYPTION_KEY: the other key, which can still decrypt values. `ops secrets status` reports when it can be removed',
      ),
  ),
} as const;

/** Optional variant of the encryption keys, for a service that only reads encrypted requests and stores nothing. */
export const transitKeyFields = {
  ENCRYPTION_KEY: secret(
    encryptionKey
      .optional()
      .describe(
        'Same value as for the gateway. Encrypts one-time codes in the broker; without it they are unencrypted',
      ),
  ),
  ENCRYPTION_KEY_PREVIOUS: encryptionKeyFields.ENCRYPTION_KEY_PREVIOUS,
} as const;

/** Settings of every service. */
export const serviceFields = {
  DATABASE_URL: secret(z.url({ protocol: /^postgres(ql)?$/ }).describe("PostgreSQL URL with the service's own login")),
  RABBITMQ_URL: secret(
    z.url({ protocol: /^amqps?$/ }).describe("RabbitMQ URL with the service's own login and the virtual host"),
  ),
  BROKER_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9-]{0,40}$/, 'must be at most 40 lower-case letters, digits and dashes')
    .default('')
    .describe(
      'Prefix of all exchange and queue names, so that several installations can share a broker; empty for none',
    ),
  COMMAND_QUEUES: z
    .enum(['quorum', 'classic'])
    .default('quorum')
    .describe(
      'Type of the command queues: `quorum` survives the loss of a broker node, `classic` is cheaper on a single node. Must be the same for the broker set-up and all services',
    ),
  BROKER_CONNECTION_MAX_AGE_SECONDS: integerField(
    { min: 0, max: 604_800, fallback: 1_800 },
    'Maximum age of a broker connection, in seconds, after which a service replaces it. Rebalances connections after a node was down; 0 disables it',
  ),
  LISTEN_ADDRESS: z
    .string()
    .default('127.0.0.1')
    .describe(
      'IP address on which the public and management ports listen; 0.0.0.0 for all interfaces, as in a container',
    ),
  MANAGEMENT_PORT: portField(
    3010,
    'Port of the management endpoints (/live, /ready, /health, /metrics). Never expose it publicly',
  ),
  LOG_LEVEL: z
    .enum(LOG_LEVELS)
    .default('info')
    .describe('Minimum log level. `PUT /log-level?level=debug` on the management port changes it until the next start'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe(
      'URL of the OpenTelemetry collector (OTLP over HTTP) that receives traces. Without it, no traces are exported',
    ),
} as const;
