import fc from 'fast-check';
import { expectedSeconds, type NumberLimits } from './duration';

const DAY = 86_400;
const number = (limits: Partial<NumberLimits> = {}): NumberLimits => ({
  throughput: 80,
  messagingLimit: null,
  remaining: null,
  ...limits,
});
const all = (messages: number) => ({ messages, initiated: messages });

describe('expectedSeconds', () => {
  it('divides the messages by the throughput and rounds up', () => {
    expect(expectedSeconds(all(8_001), [number()], 1_000)).toBe(101);
    expect(expectedSeconds(all(1), [number()], 1_000)).toBe(1);
    expect(expectedSeconds(all(0), [number()], 1_000)).toBe(0);
  });

  it('caps the rate at the configured maximum, unless it is 0', () => {
    expect(expectedSeconds(all(8_000), [number()], 40)).toBe(200);
    expect(expectedSeconds(all(8_000), [number()], 0)).toBe(100);
  });

  it('adds up the throughput of several numbers', () =>
    expect(expectedSeconds(all(10_800), [number(), number({ throughput: 1_000 })], 1_000)).toBe(10));

  it('counts a shared limit of several numbers once', () => {
    const limits = [1, 2].map(() => number({ messagingLimit: 1_000, remaining: 200, portfolio: '1' }));
    expect(expectedSeconds(all(200), limits, 1_000)).toBe(2);
    expect(expectedSeconds(all(201), limits, 1_000)).toBe(DAY + 1);
    const others = [...limits, number({ messagingLimit: 1_000, remaining: 200, portfolio: '2' })];
    expect(expectedSeconds(all(400), others, 1_000)).toBe(3);
  });

  it('adds a day each time the messaging limit is used up', () => {
    const limits = [number({ messagingLimit: 1_000, remaining: 200 })];
    expect(expectedSeconds(all(200), limits, 1_000)).toBe(3);
    expect(expectedSeconds(all(201), limits, 1_000)).toBe(DAY + 1);
    expect(expectedSeconds(all(1_200), limits, 1_000)).toBe(DAY + 13);
    expect(expectedSeconds(all(1_201), limits, 1_000)).toBe(2 * DAY + 1);
  });

  it('ignores the messaging limit for messages within service windows', () => {
    const limits = [number({ messagingLimit: 250, remaining: 0 })];
    expect(expectedSeconds({ messages: 800, initiated: 0 }, limits, 1_000)).toBe(10);
    expect(expectedSeconds({ messages: 800, initiated: 1 }, limits, 1_000)).toBe(DAY + 1);
  });

  it('assumes the full limit if the remaining part is unknown', () =>
    expect(expectedSeconds(all(1_001), [number({ messagingLimit: 1_000 })], 1_000)).toBe(DAY + 1));

  it('continues with numbers that have not reached their limit', () => {
    const limits = [number({ messagingLimit: 80, remaining: 80 }), number()];
    expect(expectedSeconds(all(240), limits, 1_000)).toBe(2);
  });

  it('returns null if no number can ever send the messages', () => {
    expect(expectedSeconds(all(1), [], 1_000)).toBeNull();
    expect(expectedSeconds(all(1), [number({ messagingLimit: 0, remaining: 0 })], 1_000)).toBeNull();
  });

  it('never decreases with more messages, and never increases with more numbers', () => {
    const limits = fc.record({
      throughput: fc.constantFrom(80, 1_000),
      messagingLimit: fc.option(fc.constantFrom(250, 1_000, 10_000), { nil: null }),
      remaining: fc.option(fc.integer({ min: 0, max: 250 }), { nil: null }),
    });
    fc.assert(
      fc.property(
        fc.array(limits, { minLength: 1, maxLength: 4 }),
        limits,
        fc.nat(50_000),
        (numbers, more, messages) => {
          const seconds = expectedSeconds(all(messages), numbers, 1_000) ?? Infinity;
          expect(expectedSeconds(all(messages + 1), numbers, 1_000)).toBeGreaterThanOrEqual(seconds);
          expect(expectedSeconds(all(messages), [...numbers, more], 1_000)).toBeLessThanOrEqual(seconds);
        },
      ),
    );
  });
});
