import { type Broker, createBroker } from '@switchboard/broker';
import type { ServiceName } from '@switchboard/contracts';
import { createLogger } from '@switchboard/platform';

/** Opens a connection on which a benchmark acts as the service. */
export function brokerOf(service: ServiceName, url: string, namespace: string): Broker {
  return createBroker({ service, url, namespace, logger: createLogger(service, 'error') });
}
