import { type Broker, createBroker } from '@switchboard/broker';
import { AppError, type CommandContract } from '@switchboard/contracts';
import { dataSourceOptions, ServiceDataSource, Transactions } from '@switchboard/database';
import { createLogger, SecretBox, withTimeout } from '@switchboard/platform';
import type { DataSource } from 'typeorm';
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
import type { OpsConfig, readOpsSettings } from '../config';
import type { Output } from './output';

const BROKER_CONNECT_TIMEOUT_MS = 5_000;
/** A server that is silent does not confirm the end of a connection. */
const CLOSE_TIMEOUT_MS = 1_000;
/** An operator may wait for a statement over many accounts. */
const STATEMENT_MS = 60_000;

/** What commands work with; database and broker are connected to when the first command needs them. */
export interface Operator {
  actor: string;
  /** @throws AppError INVALID_PARAMETER when settings are missing or wrong */
  config(): OpsConfig;
  /** @throws AppError INVALID_PARAMETER when settings are missing or wrong */
  secretBox(): SecretBox;
  database(): Promise<DatabaseServices>;
  /** Asks a service. @throws AppError UNAVAILABLE with the name of the service that does not answer */
  request<Request extends object, Response extends object>(
    command: CommandContract<Request, Response>,
    request: Request,
  ): Promise<Response>;
  close(): Promise<void>;
}

export interface DatabaseServices {
  dataSource: DataSource;
  transactions: Transactions;
  changes: AuditedChanges;
  accounts: AccountsService;
  keys: KeysService;
  plans: PlansService;
  credits: CreditsService;
  overrides: OverridesService;
  users: UsersService;
}

/** @param warn tells the operator of what is no failure of the command */
export function openOperator(settings: ReturnType<typeof readOpsSettings>, actor: string, warn: Output): Operator {
  let dataSource: Promise<DataSource> | undefined;
  let broker: Promise<Broker> | undefined;
  let box: SecretBox | undefined;
  const config = (): OpsConfig => {
    if ('config' in settings) return settings.config;
    throw new AppError('INVALID_PARAMETER', {
      message: `the settings are not valid:\n${settings.problems.map((problem) => `  ${problem}`).join('\n')}`,
    });
  };
  return {
    actor,
    config,
    secretBox: () => (box ??= new SecretBox(config())),
    database: async () => {
      dataSource ??= connectDatabase(config()).catch((error: unknown) => {
        dataSource = undefined;
        throw error;
      });
      return servicesOn(await dataSource, warn);
    },
    request: async (command, request) => {
      broker ??= connectBroker(config()).catch((error: unknown) => {
        broker = undefined;
        throw error;
      });
      return (await broker).request(command, request).catch((error: unknown) => {
        throw namedAfterOwner(error, command);
      });
    },
    close: async () => {
      const closing = Promise.allSettled([
        broker?.then((open) => open.close()),
        dataSource?.then((open) => open.destroy()),
      ]);
      await withTimeout(closing, CLOSE_TIMEOUT_MS, () => new Error('late')).catch(() => undefined);
    },
  };
}

function servicesOn(dataSource: DataSource, warn: Output): DatabaseServices {
  const transactions = new Transactions(dataSource);
  return {
    dataSource,
    transactions,
    changes: new AuditedChanges(dataSource, (_, entryId) =>
      warn(`warning: the outcome could not be noted; the audit log's entry ${entryId} says unknown\n`),
    ),
    accounts: new AccountsService(dataSource.getRepository(Account), transactions),
    keys: new KeysService(dataSource.getRepository(ApiKey), transactions),
    plans: new PlansService(dataSource.getRepository(PlanEntity), transactions),
    credits: new CreditsService(dataSource, transactions),
    overrides: new OverridesService(dataSource.getRepository(EffectivePlan), transactions),
    users: new UsersService(dataSource.getRepository(User), transactions),
  };
}

function connectDatabase({ DATABASE_URL: url }: OpsConfig): Promise<DataSource> {
  const place = { schema: 'gateway', url };
  return new ServiceDataSource(dataSourceOptions({ ...place, entities, poolSize: 2, statementMs: STATEMENT_MS }), {
    ...place,
    sizes: { requests: 2 },
  }).initialize();
}

async function connectBroker(config: OpsConfig): Promise<Broker> {
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
