/** Addresses of the real servers that tests talk to; the tests' global set-up finds or starts them. */
function required(name: 'TEST_DATABASE_URL' | 'TEST_RABBITMQ_URL' | 'TEST_NAMESPACES' | 'TEST_DATABASES'): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set. Run integration tests from the root: npx jest <path>`);
  return value;
}

/** Address of a PostgreSQL login that may create databases. */
export const testDatabaseUrl = (): string => required('TEST_DATABASE_URL');

/** Address of a RabbitMQ broker. */
export const testBrokerUrl = (): string => required('TEST_RABBITMQ_URL');

/**
 * The same broker with a login that may take and send in test namespaces, and declare nothing; the all-powerful one
 * where the broker was given.
 */
export const testServicesUrl = (): string => process.env['TEST_RABBITMQ_SERVICES_URL'] ?? testBrokerUrl();

export type CommandQueueType = 'quorum' | 'classic';

/** Type of the command queues: as set for a cluster; `classic` when absent, which costs a single node less. */
export const testCommandQueues = (): CommandQueueType =>
  process.env['TEST_COMMAND_QUEUES'] === 'quorum' ? 'quorum' : 'classic';

/** Level of the log of the code under test. */
export const testLogLevel = (): string => process.env['TEST_LOG_LEVEL'] ?? 'silent';

/** Where test files of one run leave the broker namespaces that they hand on, a file for each. */
export const namespaceFolder = (): string => required('TEST_NAMESPACES');

/** What the names of this run's databases begin with. The run drops what is left of them at its end. */
export const databasePrefix = (): string => required('TEST_DATABASES');

/** Makes tracing that starts afterwards in this process export its spans ten times a second. */
export function exportSpansSoon(): void {
  process.env['OTEL_BSP_SCHEDULE_DELAY'] = '100';
}
