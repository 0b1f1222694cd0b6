import { createBroker } from '@switchboard/broker';
import type { MessageContract, ServiceName } from '@switchboard/contracts';
import { sampleReply, silentLogger, startFakeService } from '@switchboard/testing';

export interface Received {
  name: string;
  body: Record<string, unknown>;
}
type Answerer = (body: Record<string, unknown>) => unknown;

/**
 * Fakes of the services behind the gateway: broker handlers that record requests and, by default, reply with the sample
 * of the contract.
 */
export class FakeServices {
  readonly received: Received[] = [];
  private readonly answerers = new Map<string, Answerer>();

  /** Sets the reply to messages of a contract. */
  answer(contract: MessageContract, answerer: Answerer): void {
    this.answerers.set(contract.name, answerer);
  }

  of(contract: MessageContract): Record<string, unknown>[] {
    return this.received.filter(({ name }) => name === contract.name).map(({ body }) => body);
  }

  reset(): void {
    this.received.length = 0;
    this.answerers.clear();
  }

  /** Records a message. Ignores callback heartbeats, which a timer of the gateway sends. */
  take(contract: MessageContract, body: Record<string, unknown>): unknown {
    if (!body['door']) this.received.push({ name: contract.name, body });
    const answerer = this.answerers.get(contract.name);
    return answerer ? answerer(body) : sampleReply(contract);
  }
}

/** Starts the fake of one service. @returns a function that stops it */
export function startFake(
  service: ServiceName,
  fakes: FakeServices,
  options: { url: string; namespace: string },
): Promise<() => Promise<void>> {
  const broker = createBroker({ service, ...options, logger: silentLogger });
  return startFakeService(service, broker, (contract, body) => fakes.take(contract, body as Record<string, unknown>));
}
