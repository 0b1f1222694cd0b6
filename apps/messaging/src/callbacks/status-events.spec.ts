import {
  bodyJson,
  type MessageStatusChangedV1,
  messageStatusChangedV1,
  type MessageStatusChangedV2,
  messageStatusChangedV2,
} from '@switchboard/contracts';
import { publishStatusChanges } from './status-events';

const { sample } = messageStatusChangedV1;

function published(changes: readonly MessageStatusChangedV1[]): MessageStatusChangedV2[] {
  const events: MessageStatusChangedV2[] = [];
  const publish = (_contract: object, body: object): void => void events.push(body as MessageStatusChangedV2);
  publishStatusChanges({ publish }, changes, true);
  return events;
}

const idsOf = (events: readonly MessageStatusChangedV2[]): string[][] =>
  events.map(({ changes }) => changes.map(({ id }) => id));

describe('publishStatusChanges', () => {
  it('publishes changes of several accounts as one ordered event', () => {
    const changes = ['msg_2', 'msg_1', 'msg_3'].map((id) => ({ ...sample, id, accountId: `acc_of_${id}` }));
    expect(idsOf(published(changes))).toEqual([['msg_2', 'msg_1', 'msg_3']]);
    expect(published([])).toEqual([]);
  });

  it('splits many changes into several events', () => {
    const events = published(Array.from({ length: 51 }, (_none, index) => ({ ...sample, id: `msg_${index}` })));
    expect(events.map(({ changes }) => changes.length)).toEqual([25, 25, 1]);
    expect(idsOf(events).flat().at(-1)).toBe('msg_50');
  });

  it('publishes single events while a 0.1.0 service is running', () => {
    const told: object[] = [];
    const changes = ['msg_1', 'msg_2'].map((id) => ({ ...sample, id }));
    publishStatusChanges({ publish: (contract, body) => void told.push([contract.name, body]) }, changes, false);
    expect(told).toEqual(changes.map((change) => [messageStatusChangedV1.name, change]));
  });

  it("keeps events with the longest changes within the broker's limit", () => {
    const title = '\u{1F600}'.repeat(4_000);
    const error = {
      ...sample.error,
      reason: 'WINDOW_CLOSED',
      title,
      retriable: false,
    } as MessageStatusChangedV1['error'];
    const events = published(Array.from({ length: 25 }, () => ({ ...sample, error })));
    expect(events.length).toBeGreaterThan(1);
    for (const event of events) expect(() => bodyJson(messageStatusChangedV2, event)).not.toThrow();
  });
});
