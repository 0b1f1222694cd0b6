import { firstIdAt } from '@switchboard/contracts';
import { OrderedIds } from '../ordered-ids';
import { outdatedPartitions, weekOf, weeksToKeepReady } from './partitions';

const now = new Date('2026-03-04T12:00:00Z');

describe('weekly partition', () => {
  it('holds exactly the ids created in its week', () => {
    const { start, end, name } = weekOf(now);
    expect([start, end, name]).toEqual([
      new Date('2026-02-26T00:00:00Z'),
      new Date('2026-03-05T00:00:00Z'),
      '20260226',
    ]);
    const at = (time: Date) => new OrderedIds(() => time.getTime()).next('evt');
    for (const [time, isInside] of [
      [start, true],
      [new Date(end.getTime() - 1), true],
      [end, false],
      [new Date(start.getTime() - 1), false],
    ] as const) {
      const id = at(time);
      expect(id >= firstIdAt('evt', start) && id < firstIdAt('evt', end)).toBe(isInside);
    }
  });

  it('is created three weeks before it starts', () => {
    expect(weeksToKeepReady({ from: now, now }).map(({ name }) => name)).toEqual([
      '20260226',
      '20260305',
      '20260312',
      '20260319',
    ]);
  });

  it('is dropped once its last day exceeds the retention', () => {
    const names = ['events_20260122', 'events_20260129', 'events_20260205', 'events_default'];
    expect(outdatedPartitions(names, { now: new Date('2026-03-07T00:00:00Z'), days: 30 })).toEqual([
      'events_20260122',
      'events_20260129',
    ]);
    expect(outdatedPartitions(names, { now: new Date('2026-03-06T23:59:59Z'), days: 30 })).toEqual(['events_20260122']);
  });
});

describe('OrderedIds', () => {
  it('ascend within a millisecond and after the clock is set back', () => {
    let time = 1_800_000_000_000;
    const ids = new OrderedIds(() => time);
    const made = Array.from({ length: 10_000 }, (_, number) => {
      if (number === 5_000) time -= 60_000;
      return ids.next('evt');
    });
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(10_000);
  });
});
