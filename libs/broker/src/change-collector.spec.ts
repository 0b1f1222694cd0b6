import { setImmediate as nextIteration } from 'node:timers/promises';
import {
  type DataChangedV1,
  type EventContract,
  messageReceivedV1,
  messageStatusChangedV1,
  messageStatusChangedV2,
  numberAddedV1,
} from '@switchboard/contracts';
import { ChangeCollector, mergeChanges } from './change-collector';

describe('ChangeCollector', () => {
  let published: DataChangedV1[];
  let failures: unknown[];
  let collector: ChangeCollector;
  const publish = (body: string) => {
    const changed = JSON.parse(body) as DataChangedV1;
    if (changed.changes.some(({ accountId }) => accountId === 'acc_away')) throw new Error('not connected');
    published.push(changed);
  };
  const received = (accountId: string, id: string) =>
    collector.add(messageReceivedV1 as EventContract, JSON.stringify({ ...messageReceivedV1.sample, accountId, id }));

  beforeEach(() => {
    published = [];
    failures = [];
    collector = new ChangeCollector(publish, (error) => failures.push(error));
  });

  it('publishes the changes of one iteration together, without content', async () => {
    received('acc_1', 'msg_1');
    received('acc_2', 'msg_2');
    received('acc_1', 'msg_3');
    collector.add(numberAddedV1 as EventContract, JSON.stringify(numberAddedV1.sample));
    expect(published).toEqual([]);
    await nextIteration();
    expect(published).toEqual([
      {
        changes: [
          { accountId: 'acc_1', kind: 'message', ids: ['msg_1', 'msg_3'] },
          { accountId: 'acc_2', kind: 'message', ids: ['msg_2'] },
        ],
      },
    ]);
    received('acc_1', 'msg_4');
    await nextIteration();
    expect(published).toHaveLength(2);
  });

  it('splits the changes of many accounts', async () => {
    const changes = Array.from({ length: 450 }, (_, index) => ({
      ...messageStatusChangedV1.sample,
      accountId: `acc_${index}`,
    }));
    collector.add(messageStatusChangedV2 as EventContract, JSON.stringify({ changes }));
    await nextIteration();
    expect(published.map((each) => each.changes.length)).toEqual([200, 200, 50]);
  });

  it('reports changes that it cannot publish, and continues', async () => {
    received('acc_away', 'msg_1');
    await nextIteration();
    received('acc_1', 'msg_2');
    await nextIteration();
    expect(failures).toEqual([new Error('not connected')]);
    expect(published).toEqual([{ changes: [{ accountId: 'acc_1', kind: 'message', ids: ['msg_2'] }] }]);
  });
});

describe('mergeChanges', () => {
  it('omits unknown ids, and the ids of more than 20 changes', () => {
    const many = Array.from({ length: 21 }, (_, index) => ({
      accountId: 'acc_1',
      kind: 'status' as const,
      ids: [`msg_${index}`],
    }));
    const unknown = [{ kind: 'message' as const, accountId: 'acc_1' }];
    const known = [{ kind: 'message' as const, accountId: 'acc_1', ids: ['msg_1'] }];
    expect(mergeChanges([...many, ...unknown, ...known])).toEqual([
      { accountId: 'acc_1', kind: 'status' },
      { accountId: 'acc_1', kind: 'message' },
    ]);
    expect(mergeChanges(many.slice(1))).toEqual([
      { accountId: 'acc_1', kind: 'status', ids: many.slice(1).flatMap(({ ids }) => ids) },
    ]);
  });
});
