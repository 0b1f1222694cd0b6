import { firstIdAt } from '@switchboard/contracts';
import { boundsOf, firstPartitions, monthOfPartition, monthPartition, monthsFrom } from './message-partitions';

const now = new Date('2026-12-31T23:59:59.999Z');

describe('messages table partitions', () => {
  it('cover three months ahead without gaps, across years', () => {
    expect(monthsFrom(new Date('2026-11-01T00:00:00.000Z'), now).map(({ name }) => name)).toEqual([
      'messages_2026_11',
      'messages_2026_12',
      'messages_2027_01',
      'messages_2027_02',
      'messages_2027_03',
    ]);
  });

  it('start and end with months in UTC', () => {
    expect(monthPartition(now)).toEqual({
      name: 'messages_2026_12',
      from: firstIdAt('msg', Date.UTC(2026, 11, 1)),
      to: firstIdAt('msg', Date.UTC(2027, 0, 1)),
    });
  });

  it('are named after their month', () => {
    expect(monthOfPartition('messages_2026_12')).toEqual(new Date('2026-12-01T00:00:00.000Z'));
    expect(monthOfPartition('messages_later')).toBeNull();
  });

  it('cover all times without gaps', () => {
    const partitions = firstPartitions(now);
    expect(partitions[0]?.from).toBeNull();
    expect(partitions.at(-1)?.to).toBeNull();
    expect(partitions.slice(1).map(({ from }) => from)).toEqual(partitions.slice(0, -1).map(({ to }) => to));
    expect(boundsOf(partitions[0] ?? { from: 'x', to: 'x' })).toBe(
      `FOR VALUES FROM (MINVALUE) TO ('${firstIdAt('msg', Date.UTC(2026, 10, 1))}')`,
    );
  });
});
