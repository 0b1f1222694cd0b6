// @ts-check
import { compareDeliveries } from './compare-deliveries.mjs';

const attempt = (/** @type {string} */ eventId, number = 1, isFinished = true) => ({
  eventId,
  attempt: number,
  isFinished,
});
const hit = (/** @type {string} */ eventId, number = 1) => ({ eventId, attempt: number, path: '/' });
const delivered = (/** @type {string} */ eventId, state = 'delivered') => ({ eventId, state });

describe('compareDeliveries', () => {
  it('reports nothing when all hits are recorded and deliveries succeeded', () => {
    const facts = {
      hits: [hit('a'), hit('b', 2)],
      attempts: [attempt('a'), attempt('b', 1, false), attempt('b', 2)],
      deliveries: [delivered('a'), delivered('b')],
    };
    expect(compareDeliveries(facts)).toEqual({
      hits: 2,
      attempts: 3,
      unfinished: 1,
      deliveries: 2,
      unrecorded: [],
      undelivered: [],
    });
  });

  it('reports a hit that was not recorded', () => {
    expect(compareDeliveries({ hits: [hit('a', 2)], attempts: [attempt('a')], deliveries: [] }).unrecorded).toEqual([
      'a attempt 2',
    ]);
  });

  it('reports an attempt that was made twice', () => {
    expect(
      compareDeliveries({ hits: [hit('a'), hit('a')], attempts: [attempt('a')], deliveries: [] }).unrecorded,
    ).toEqual(['a attempt 1']);
  });

  it('reports an event that was not delivered', () => {
    expect(compareDeliveries({ hits: [], attempts: [], deliveries: [delivered('a', 'dropped')] }).undelivered).toEqual([
      'a is dropped',
    ]);
  });
});
