/**
 * Returns a setting of the real servers that the global set-up of the tests finds or starts. @throws Error when it is
 * not set
 */
function required(name: 'TEST_DATABASE_URL' | 'TEST_RABBITMQ_URL' | 'TEST_NAMESPACES' | 'TEST_DATABASES'): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set. Run integration tests from the root: npx jest <path>`);
  return value;
}

/** Address of a PostgreSQL login that may create databases. */
export const testDatabaseUrl = (): string => required('TEST_DATABASE_URL');

export const testBrokerUrl = (): string => required('TEST_RABBITMQ_URL');

/**
 * The same broker with a login that may consume and publish in test namespaces but declare nothing. For an external
 * broker, this is the administrator login.
 */
export const testServicesUrl = (): string => process.env['TEST_RABBITMQ_SERVICES_URL'] ?? testBrokerUrl();

export type CommandQueueType = 'quorum' | 'classic';

/** Type of the command queues, as set for a cluster. Defaults to `classic`, which is cheaper on a single node. */
export const testCommandQueues = (): CommandQueueType =>
  process.env['TEST_COMMAND_QUEUES'] === 'quorum' ? 'quorum' : 'classic';

export const testLogLevel = (): string => process.env['TEST_LOG_LEVEL'] ?? 'silent';

/** Directory in which test files of one run release broker namespaces for reuse, one file each. */
export const namespaceFolder = (): string => required('TEST_NAMESPACES');

/** Prefix of the names of this run's databases. Remaining ones are dropped at the end of the run. */
export const databasePrefix = (): string => required('TEST_DATABASES');

/** Makes tracing that starts later in this process export its spans ten times a second. */
export function exportSpansSoon(): void {
  process.env['OTEL_BSP_SCHEDULE_DELAY'] = '100';
}
