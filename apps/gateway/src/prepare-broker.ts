import { BROKER_LOGINS } from '@switchboard/contracts';
import { prepareBroker } from '@switchboard/broker';
import { readBrokerSettings } from './config';

const { RABBITMQ_ADMIN_URL, RABBITMQ_MANAGEMENT_URL, BROKER_NAMESPACE, COMMAND_QUEUES, ...urls } = readBrokerSettings();
const loginUrls = Object.fromEntries(
  BROKER_LOGINS.map((login) => [login, urls[`${login.toUpperCase() as Uppercase<typeof login>}_RABBITMQ_URL`]]),
);
try {
  const made = await prepareBroker({
    adminUrl: RABBITMQ_ADMIN_URL,
    managementUrl: RABBITMQ_MANAGEMENT_URL,
    namespace: BROKER_NAMESPACE,
    commandQueues: COMMAND_QUEUES,
    loginUrls,
  });
  process.stdout.write(`broker: queues declared; logins: ${made.length > 0 ? made.join(', ') : 'left to you'}\n`);
  process.exit(0);
} catch (error) {
  process.stderr.write(`broker: set-up failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
