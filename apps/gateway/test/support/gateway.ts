import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createBroker, prepareBroker } from '@switchboard/broker';
import type { ServiceName } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { configProblems, type Logger, readConfig } from '@switchboard/platform';
import {
  borrowBroker,
  createTestDatabase,
  handOnNamespace,
  silentLogger,
  TEST_ENCRYPTION_KEY,
  type TestDatabase,
} from '@switchboard/testing';
import { Account } from '../../src/accounts/account.entity';
import { ApiKey } from '../../src/api-keys/api-key.entity';
import { EffectivePlan } from '../../src/accounts/effective-plan.entity';
import { PlanEntity } from '../../src/accounts/plan.entity';
import { entities } from '../../src/entities';
import { AccountsService } from '../../src/accounts/accounts.service';
import { CreditsService } from '../../src/accounts/credits.service';
import { OverridesService } from '../../src/accounts/overrides.service';
import { KeysService, type NewKey } from '../../src/api-keys/keys.service';
import { PlansService } from '../../src/accounts/plans.service';
import { type GatewayConfig, settings } from '../../src/config';
import { createHttpApp } from '../../src/server';
import { migrations } from '../../src/migrations';
import { FakeServices, startFake } from './fakes';

export const APP_SECRET = 'app-secret';
export const VERIFY_TOKEN = 'verify-token';
const TEST_SETTINGS = { MANAGEMENT_PORT: '0', LOG_LEVEL: 'silent', GATEWAY_PORT: '0', CONNECTION_DRAIN_SECONDS: '0' };
const blobFolderOf = (namespace: string): string => join(tmpdir(), `switchboard-blobs-${namespace}`);
const ALL_BUT_GATEWAY = ['messaging', 'templates', 'otp', 'jobs', 'webhooks'] as const;

export interface Customer {
  accountId: string;
  apiKey: string;
  keyId: string;
}

export interface GatewayUnderTest {
  url: string;
  app: NestFastifyApplication;
  config: GatewayConfig;
  database: TestDatabase;
  fakes: FakeServices;
  services: {
    accounts: AccountsService;
    keys: KeysService;
    plans: PlansService;
    credits: CreditsService;
    overrides: OverridesService;
  };
  /** Creates an account with one API key. */
  customer(options?: Partial<NewKey> & { plan?: string }): Promise<Customer>;
  close(): Promise<void>;
}

/** Starts three gateways of one installation. Use the first one for services, and close it last. */
export async function startThreeGateways(
  options: StartOptions = {},
): Promise<[GatewayUnderTest, GatewayUnderTest, GatewayUnderTest]> {
  const first = await startGateway(options);
  const [second, third] = await Promise.all([1, 2].map(() => startGateway({ ...options, beside: first })));
  return [first, second as GatewayUnderTest, third as GatewayUnderTest];
}

export interface StartOptions {
  settings?: Partial<GatewayConfig>;
  /** Services with running fakes; defaults to all. */
  standing?: readonly ServiceName[];
  /** Returns the database URL to use, for example that of a proxy. */
  databaseUrl?(url: string): Promise<string> | string;
  brokerUrl?(url: string): Promise<string> | string;
  logger?: Logger;
  /** Configures the application before it listens. */
  prepare?(app: NestFastifyApplication): void;
  /** Another gateway with which to share the database, broker and fakes. */
  beside?: GatewayUnderTest;
}

/** Starts a real gateway on a free port, with its own database and broker namespace. */
export async function startGateway(options: StartOptions = {}): Promise<GatewayUnderTest> {
  const { logger = silentLogger, beside } = options;
  const surroundings = beside
    ? { ...surroundingsOf(beside), close: async () => undefined }
    : await makeSurroundings(options.standing);
  const { database, fakes, brokerUrl, namespace } = surroundings;
  const config = await configOf(options, {
    DATABASE_URL: database.url,
    RABBITMQ_URL: brokerUrl,
    BROKER_NAMESPACE: namespace,
  });
  const broker = createBroker({ service: 'gateway', url: config.RABBITMQ_URL, namespace, logger });
  const app = await createHttpApp({ config, broker, logger });
  options.prepare?.(app);
  await app.startAllMicroservices();
  await app.listen({ port: 0, host: '127.0.0.1' });
  const services = servicesOn(database);
  return {
    url: await app.getUrl(),
    app,
    config,
    database,
    fakes,
    services,
    customer: (wanted = {}) => newCustomer(services, wanted),
    close: async () => {
      await app.close();
      await broker.close();
      await surroundings.close();
    },
  };
}

type Surroundings = Pick<GatewayUnderTest, 'database' | 'fakes'> & { brokerUrl: string; namespace: string };

function surroundingsOf({ database, fakes, config }: GatewayUnderTest): Surroundings {
  return { database, fakes, brokerUrl: config.RABBITMQ_URL, namespace: config.BROKER_NAMESPACE };
}

async function makeSurroundings(
  standing: readonly ServiceName[] = ALL_BUT_GATEWAY,
): Promise<Surroundings & { close(): Promise<void> }> {
  const { url: brokerUrl, namespace } = await borrowBroker(prepareBroker);
  const fakes = new FakeServices();
  const [database, ...stops] = await Promise.all([
    createTestDatabase('gateway', migrations, entities),
    ...standing.map((service) => startFake(service, fakes, { url: brokerUrl, namespace })),
  ]);
  const close = async (): Promise<void> => {
    await Promise.all([database.drop(), ...stops.map((stop) => stop())]);
    await handOnNamespace(namespace);
    await rm(blobFolderOf(namespace), { recursive: true, force: true });
  };
  return { database, fakes, brokerUrl, namespace, close };
}

async function configOf(
  { settings: overrides, databaseUrl, brokerUrl }: StartOptions,
  addresses: { DATABASE_URL: string; RABBITMQ_URL: string; BROKER_NAMESPACE: string },
): Promise<GatewayConfig> {
  const environment = {
    ...addresses,
    UPSTREAM_APP_SECRET: APP_SECRET,
    UPSTREAM_VERIFY_TOKEN: VERIFY_TOKEN,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    ...TEST_SETTINGS,
    BLOB_DIR: blobFolderOf(addresses.BROKER_NAMESPACE),
  };
  const problems = configProblems(settings, environment);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return {
    ...readConfig(settings, environment),
    DATABASE_URL: (await databaseUrl?.(addresses.DATABASE_URL)) ?? addresses.DATABASE_URL,
    RABBITMQ_URL: (await brokerUrl?.(addresses.RABBITMQ_URL)) ?? addresses.RABBITMQ_URL,
    ...overrides,
  };
}

function servicesOn({ dataSource }: TestDatabase): GatewayUnderTest['services'] {
  const transactions = new Transactions(dataSource);
  return {
    accounts: new AccountsService(dataSource.getRepository(Account), transactions),
    keys: new KeysService(dataSource.getRepository(ApiKey), transactions),
    plans: new PlansService(dataSource.getRepository(PlanEntity), transactions),
    credits: new CreditsService(dataSource, transactions),
    overrides: new OverridesService(dataSource.getRepository(EffectivePlan), transactions),
  };
}

async function newCustomer(
  { accounts, keys }: GatewayUnderTest['services'],
  { plan = 'scale', ...wanted }: Partial<NewKey> & { plan?: string },
): Promise<Customer> {
  const { accountId } = await accounts.createAccount({ name: 'Customer', plan }, 'test');
  const { apiKey, record } = await keys.createKey(
    { accountId, name: 'key', allowedIps: [], allowedRoutes: [], ...wanted },
    'test',
  );
  return { accountId, apiKey, keyId: record.keyId };
}
