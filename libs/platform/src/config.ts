import { z } from 'zod';
import { LOG_LEVELS } from './logging';

export type ConfigFields = Record<string, z.ZodType>;

/** The settings of one program: whose they are and a schema with a description per field. */
export interface ConfigDefinition<Fields extends ConfigFields = ConfigFields> {
  readonly owner: string;
  readonly fields: Fields;
  /** Returns the problems of settings that are valid one by one, a line each: `NAME: what is wrong`. */
  together?(config: ConfigValues<Fields>): string[];
}

type ConfigValues<Fields extends ConfigFields> = { readonly [Name in keyof Fields]: z.infer<Fields[Name]> };

export type ConfigOf<Definition> = Definition extends { readonly fields: infer Fields extends ConfigFields }
  ? ConfigValues<Fields>
  : never;

const secretFields = z.registry<{ secret: true }>();

/**
 * Declares the settings of one program, read from environment variables of the fields' names.
 * @param together returns the problems of settings that are valid one by one
 * @throws Error when a field has no description: the generated documentation is made of them
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

/** Marks a setting whose value must never be shown. Call it last: it returns the schema itself. */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  secretFields.add(schema, { secret: true });
  return schema;
}

export function isSecret(schema: z.ZodType): boolean {
  return secretFields.has(schema);
}

/** All problems of an environment, one line each; empty when it is valid. */
export function configProblems(definition: ConfigDefinition, environment: NodeJS.ProcessEnv): string[] {
  const result = z.object(definition.fields).safeParse(withoutEmpty(environment));
  if (result.success) return definition.together?.(result.data) ?? [];
  return result.error.issues.map((issue) => {
    const name = issue.path.map(String).join('.');
    const missing = !environment[name];
    return `${name}: ${missing ? 'is required' : issue.message} (${definition.fields[name]?.description ?? ''})`;
  });
}

/** The validated settings; prints every problem at once and ends the process with code 1 when there is one. */
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

/** An empty variable counts as absent: that is how compose and Kubernetes pass on what is not set. */
function withoutEmpty(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
}

/** A TCP port. */
export function portField(fallback: number, description: string) {
  return z.coerce.number().int().min(0).max(65_535).default(fallback).describe(description);
}

/** `true` or `false`; nothing else. */
export function flagField(fallback: boolean, description: string) {
  return z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .default(fallback)
    .describe(description);
}

/** A whole number in a range; the description names its unit. */
export function integerField(range: { min: number; max: number; fallback: number }, description: string) {
  return z.coerce.number().int().min(range.min).max(range.max).default(range.fallback).describe(description);
}

const encryptionKey = z
  .string()
  .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64');

/** The keys of stored secrets; the same for all services that share them. */
export const encryptionKeyFields = {
  ENCRYPTION_KEY: secret(
    encryptionKey.describe(
      'Key that encrypts upstream tokens and webhook secrets at rest: 32 random bytes in base64 (openssl rand -base64 32); docs/encryption-keys.md tells how to replace it',
    ),
  ),
  ENCRYPTION_KEY_PREVIOUS: secret(
    encryptionKey
      .optional()
      .describe(
        'While ENCRYPTION_KEY is being replaced: the other key, whose values still open; `ops secrets status` tells when it can be left out again',
      ),
  ),
} as const;

/** The same keys for a service that stores nothing with them: it only reads encrypted requests. */
export const transitKeyFields = {
  ENCRYPTION_KEY: secret(
    encryptionKey
      .optional()
      .describe(
        "The same value as the gateway's: one-time codes are encrypted on their way through the broker; in clear when it is absent",
      ),
  ),
  ENCRYPTION_KEY_PREVIOUS: encryptionKeyFields.ENCRYPTION_KEY_PREVIOUS,
} as const;

/** What every service needs. */
export const serviceFields = {
  DATABASE_URL: secret(
    z.url({ protocol: /^postgres(ql)?$/ }).describe("PostgreSQL address with the service's own login"),
  ),
  RABBITMQ_URL: secret(
    z.url({ protocol: /^amqps?$/ }).describe("RabbitMQ address with the service's own login, and its virtual host"),
  ),
  BROKER_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9-]{0,40}$/, 'must be at most 40 lower-case letters, digits and dashes')
    .default('')
    .describe('Prefix of all exchanges and queues, so that installations can share a broker; empty for none'),
  COMMAND_QUEUES: z
    .enum(['quorum', 'classic'])
    .default('quorum')
    .describe(
      'Type of the command queues: `quorum` survives the loss of a broker node, `classic` costs less on a broker of one node; the same for the broker set-up and all services',
    ),
  BROKER_CONNECTION_MAX_AGE_SECONDS: integerField(
    { min: 0, max: 604_800, fallback: 1_800 },
    'Age at which a service replaces its connections to the broker, so that they spread over all nodes again after one was away; 0 for never',
  ),
  LISTEN_ADDRESS: z
    .string()
    .default('127.0.0.1')
    .describe('Address on which the service listens, in public and for management; 0.0.0.0 for all, as in a container'),
  MANAGEMENT_PORT: portField(
    3010,
    'Port of the management listener (/live, /ready, /health, /metrics); never expose it to the public',
  ),
  LOG_LEVEL: z
    .enum(LOG_LEVELS)
    .default('info')
    .describe(
      'Least severe log level written; `PUT /log-level?level=debug` on the management port changes it until the next start',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe(
      'OpenTelemetry collector (OTLP over HTTP) that receives traces; no traces are exported when it is absent',
    ),
} as const;
