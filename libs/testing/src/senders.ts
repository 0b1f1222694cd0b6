import { ALL_CONTRACTS, type MessageContract, sendersOf, type ServiceName } from '@switchboard/contracts';

interface Connecting {
  connect(): Promise<void>;
  close(): Promise<void>;
  checkReady(): void;
}

const SENDING: unknown[] = ['request', 'publish', 'enqueue', 'send'];

/**
 * Returns one broker that represents all services other than the one under test. Each message is sent by a service that
 * may send it.
 * @param create creates the broker of a service
 * @param eager services to create up front; others are created and connected with their first message
 */
export function asAllSenders<B extends Connecting>(
  primary: ServiceName,
  create: (service: ServiceName) => B,
  eager: readonly ServiceName[] = [],
): B {
  const brokers = new Map<ServiceName, B>([primary, ...eager].map((service) => [service, create(service)]));
  const senderOf = async ({ name }: { name: string }): Promise<B> => {
    const contract = ALL_CONTRACTS.find((each) => each.name === name);
    const service = contract && chosenSender(contract, brokers);
    if (!service) throw new Error(`nobody sends ${name}`);
    const sender = brokers.get(service) ?? create(service);
    brokers.set(service, sender);
    // Concurrent senders share one connection attempt.
    await sender.connect();
    return sender;
  };
  const onAll = (method: 'connect' | 'close') => async () =>
    void (await Promise.all([...brokers.values()].map((broker) => broker[method]())));
  return new Proxy(brokers.get(primary) as B, {
    get: (target, name) => {
      if (name === 'connect' || name === 'close') return onAll(name);
      if (name === 'checkReady') return () => brokers.forEach((broker) => broker.checkReady());
      if (!SENDING.includes(name)) return Reflect.get(target, name) as unknown;
      return async (message: MessageContract, ...rest: unknown[]) => {
        const sender = await senderOf(message);
        return (Reflect.get(sender, name) as (...given: unknown[]) => unknown).apply(sender, [message, ...rest]);
      };
    },
  });
}

function chosenSender(contract: MessageContract, known: ReadonlyMap<ServiceName, unknown>): ServiceName | undefined {
  const senders = sendersOf(contract);
  return senders.find((service) => known.has(service)) ?? senders[0];
}
