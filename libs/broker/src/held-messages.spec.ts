import {
  type MessageContract,
  sendJobMessagesV1,
  sendMessageV1,
  SERVICES,
  upstreamMessagesReceivedV1,
} from '@switchboard/contracts';
import { BACKGROUND_HELD_BYTES, COMMANDS_HELD_BYTES, type HeldQueue, heldOf } from './held-messages';
import { queuedContracts } from './topology';

const MIB = 1_048_576;
const PREFETCHES = [1_000, 200, 50];

const queuesOf = (contracts: readonly MessageContract[], prefetch: number): HeldQueue[] =>
  contracts.map((contract) => ({ contract, prefetch: contract.prefetch ?? prefetch }));

const bytesOf = (queues: readonly HeldQueue[]): number =>
  queues.reduce((sum, { contract }, index) => sum + (heldOf(queues)[index] ?? 0) * contract.maxBytes, 0);

const commandOf = (maxBytes: number): MessageContract => ({ ...sendMessageV1, maxBytes });

describe('heldOf', () => {
  const services = SERVICES.map((service) => ({ service, contracts: queuedContracts(service) })).filter(
    ({ contracts }) => contracts.length > 0,
  );

  it.each(services)('keeps messages of maximum size within the memory budgets of $service', ({ contracts }) => {
    for (const prefetch of PREFETCHES) {
      const queues = queuesOf(contracts, prefetch);
      const [commands, background] = [
        queues.filter(({ contract }) => contract.kind === 'command'),
        queues.filter(({ contract }) => contract.kind !== 'command'),
      ];
      expect(heldOf(commands)).toEqual(
        heldOf(queues).filter((_held, index) => queues[index]?.contract.kind === 'command'),
      );
      expect(bytesOf(commands)).toBeLessThanOrEqual(COMMANDS_HELD_BYTES);
      expect(bytesOf(background)).toBeLessThanOrEqual(BACKGROUND_HELD_BYTES);
    }
  });

  it('lets messaging hold more sends than it processes', () => {
    const queues = queuesOf(queuedContracts('messaging'), 50);
    const held = heldOf(queues);
    const heldOfContract = (contract: MessageContract): number =>
      held[queues.findIndex((queue) => queue.contract === contract)] ?? 0;
    expect(heldOfContract(sendMessageV1)).toBeGreaterThanOrEqual(150);
    expect(heldOfContract(upstreamMessagesReceivedV1)).toBe(300);
    expect(heldOfContract(sendJobMessagesV1)).toBe(8);
  });

  it('serves small queues first and gives each queue at least one', () => {
    const held = (sizes: number[], prefetch = 50): number[] => heldOf(queuesOf(sizes.map(commandOf), prefetch));
    expect(held([1_024])).toEqual([200]);
    expect(held([MIB])).toEqual([64]);
    expect(held([MIB, 1_024, MIB])).toEqual([31, 200, 32]);
    expect(held([100 * MIB])).toEqual([1]);
    expect(held([MIB], 5)).toEqual([20]);
  });
});
