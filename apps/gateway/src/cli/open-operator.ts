import type { Abstract, Type } from '@nestjs/common';
import { type Broker, createBroker } from '@switchboard/broker';
import { AppError, type CommandContract } from '@switchboard/contracts';
import { dataSourceOptions, ServiceDataSource, Transactions } from '@switchboard/database';
import { createLogger, SecretBox, withTimeout } from '@switchboard/platform';
import { JobsClient, MessagingClient, OtpClient, TemplatesClient, WebhooksClient } from '@switchboard/service-clients';
import { DataSource } from 'typeorm';
import { Account } from '../accounts/account.entity';
import { AccountsService } from '../accounts/accounts.service';
import { AuditedChanges } from '../audit-log/audited-changes';
import { CreditsService } from '../accounts/credits.service';
import { ApiKey } from '../api-keys/api-key.entity';
import { EffectivePlan } from '../accounts/effective-plan.entity';
import { KeysService } from '../api-keys/keys.service';
import { OverridesService } from '../accounts/overrides.service';
import { PlanEntity } from '../accounts/plan.entity';
import { PlansService } from '../accounts/plans.service';
import { entities } from '../entities';
import { User } from '../users/user.entity';
import { UsersService } from '../users/users.service';
import type { CliConfig, readCliSettings } from '../config';
import type { Operator } from '../commands/operator';
import type { Output } from '../commands/output';

const BROKER_CONNECT_TIMEOUT_MS = 5_000;
/** Time limit for closing a connection, in milliseconds, since an unresponsive server does not confirm it. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Statement timeout in milliseconds, long enough for statements over many accounts. */
const STATEMENT_MS = 60_000;

/** @param warn prints warnings that do not fail the command */
export function openOperator(settings: ReturnType<typeof readCliSettings>, actor: string, warn: Output): Operator {
  let dataSource: Promise<DataSource> | undefined;
  let broker: Promise<Broker> | undefined;
  let services: object[] | undefined;
  let box: SecretBox | undefined;
  const config = (): CliConfig => {
    if ('config' in settings) return settings.config;
    throw new AppError('INVALID_PARAMETER', {
      message: `the settings are not valid:\n${settings.problems.map((problem) => `  ${problem}`).join('\n')}`,
    });
  };
  /** Connects to the broker on first use. */
  const lazyBroker: Pick<Broker, 'request'> = {
    request: async (command, request) => {
      broker ??= connectBroker(config()).catch((error: unknown) => {
        broker = undefined;
        throw error;
      });
      return (await broker).request(command, request).catch((error: unknown) => {
        throw namedAfterOwner(error, command);
      });
    },
  };
  return {
    actor,
    config,
    secretBox: () => (box ??= new SecretBox(config())),
    get: async (type) => {
      dataSource ??= connectDatabase(config()).catch((error: unknown) => {
        dataSource = undefined;
        throw error;
      });
      services ??= servicesOn(await dataSource, warn);
      return serviceOf(services, type);
    },
    messaging: new MessagingClient(lazyBroker),
    templates: new TemplatesClient(lazyBroker),
    otp: new OtpClient(lazyBroker),
    jobs: new JobsClient(lazyBroker),
    webhooks: new WebhooksClient(lazyBroker),
    close: async () => {
      const closing = Promise.allSettled([
        broker?.then((open) => open.close()),
        dataSource?.then((open) => open.destroy()),
      ]);
      await withTimeout(closing, CLOSE_TIMEOUT_MS, () => new Error('late')).catch(() => undefined);
    },
  };
}

function servicesOn(dataSource: DataSource, warn: Output): object[] {
  const transactions = new Transactions(dataSource);
  return [
    dataSource,
    transactions,
    new AuditedChanges(dataSource, {
      error: ({ entryId }) =>
        warn(`warning: the outcome could not be noted; the audit log's entry ${entryId} says unknown\n`),
    }),
    new AccountsService(dataSource.getRepository(Account), transactions),
    new KeysService(dataSource.getRepository(ApiKey), transactions),
    new PlansService(dataSource.getRepository(PlanEntity), transactions),
    new CreditsService(dataSource, transactions),
    new OverridesService(dataSource.getRepository(EffectivePlan), transactions),
    new UsersService(dataSource.getRepository(User), transactions),
  ];
}

function serviceOf<Service>(services: object[], type: Type<Service> | Abstract<Service>): Service {
  const service = services.find((each) => each instanceof type);
  if (!service) throw new Error(`${type.name} is not among the services of the commands`);
  return service as Service;
}

function connectDatabase({ DATABASE_URL: url }: CliConfig): Promise<DataSource> {
  const place = { schema: 'gateway', url };
  return new ServiceDataSource(dataSourceOptions({ ...place, entities, poolSize: 2, statementMs: STATEMENT_MS }), {
    ...place,
    sizes: { requests: 2 },
  }).initialize();
}

async function connectBroker(config: CliConfig): Promise<Broker> {
  const logger = createLogger('ops', 'silent');
  const broker = createBroker({
    service: 'gateway',
    url: config.RABBITMQ_URL,
    namespace: config.BROKER_NAMESPACE,
    commandQueues: config.COMMAND_QUEUES,
    logger,
  });
  const message = 'the message broker (RABBITMQ_URL) cannot be reached';
  try {
    await withTimeout(broker.connect(), BROKER_CONNECT_TIMEOUT_MS, () => new AppError('UNAVAILABLE', { message }));
    return broker;
  } catch (error) {
    await broker.close();
    throw error;
  }
}

function namedAfterOwner(error: unknown, command: CommandContract): unknown {
  if (!(error instanceof AppError) || error.code !== 'UNAVAILABLE') return error;
  return new AppError('UNAVAILABLE', { message: `the ${command.owner} service does not answer: is it running?` });
}
