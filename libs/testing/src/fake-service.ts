import { contractsHandledBy, type MessageContract, type ServiceName } from '@switchboard/contracts';

interface ReceivingBroker {
  transport: {
    addHandler(name: string, handler: (body: object, delivery: { messageId: string }) => Promise<unknown>): void;
    listen(callback: (error?: unknown) => void): void;
    close(): Promise<void>;
  };
  close(): Promise<void>;
}

/** Handles a message for the fake service. Its result is the reply to a command. */
export type FakeHandler = (contract: MessageContract, body: object, messageId: string) => unknown;

/**
 * Consumes all messages of a service on a real broker, in place of the service.
 * @param broker a broker of this service, which is closed with the fake
 * @returns a function that stops the fake
 */
export async function startFakeService(
  service: ServiceName,
  broker: ReceivingBroker,
  handle: FakeHandler,
): Promise<() => Promise<void>> {
  const { transport } = broker;
  for (const contract of contractsHandledBy(service))
    transport.addHandler(contract.name, async (body, { messageId }) => handle(contract, body, messageId));
  await new Promise<void>((resolve, reject) => {
    transport.listen((error) => (error === undefined ? resolve() : reject(error as Error)));
  });
  return async () => {
    await transport.close();
    await broker.close();
  };
}

/** Replies to a command with the sample of its contract. */
export const sampleReply = (contract: MessageContract): object | undefined =>
  contract.kind === 'command' ? contract.sample.response : undefined;
