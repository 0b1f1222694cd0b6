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
/** As the services set it, the largest first. */
const PREFETCHES = [1_000, 200, 50];

const queuesOf = (contracts: readonly MessageContract[], prefetch: number): HeldQueue[] =>
  contracts.map((contract) => ({ contract, prefetch: contract.prefetch ?? prefetch }));

const bytesOf = (queues: readonly HeldQueue[]): number =>
  queues.reduce((sum, { contract }, index) => sum + (heldOf(queues)[index] ?? 0) * contract.maxBytes, 0);

const commandOf = (maxBytes: number): MessageContract => ({ ...sendMessageV1, maxBytes });

describe('messages that a process holds', () => {
  const services = SERVICES.map((service) => ({ service, contracts: queuedContracts(service) })).filter(
    ({ contracts }) => contracts.length > 0,
  );

  it.each(services)('fit the budgets at $service, were each as large as it may be', ({ contracts }) => {
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

  it('are as many as messaging works on at a time, and of sends more, so that a peak waits in the process', () => {
    const queues = queuesOf(queuedContracts('messaging'), 50);
    const held = heldOf(queues);
    const heldOfContract = (contract: MessageContract): number =>
      held[queues.findIndex((queue) => queue.contract === contract)] ?? 0;
    expect(heldOfContract(sendMessageV1)).toBeGreaterThanOrEqual(150);
    expect(heldOfContract(upstreamMessagesReceivedV1)).toBe(300);
    expect(heldOfContract(sendJobMessagesV1)).toBe(8);
  });

  it('are those that small queues want; large ones divide the rest, and none is left without one', () => {
    const held = (sizes: number[], prefetch = 50): number[] => heldOf(queuesOf(sizes.map(commandOf), prefetch));
    expect(held([1_024])).toEqual([200]);
    expect(held([MIB])).toEqual([64]);
    expect(held([MIB, 1_024, MIB])).toEqual([31, 200, 32]);
    expect(held([100 * MIB])).toEqual([1]);
    expect(held([MIB], 5)).toEqual([20]);
  });
});
