import { leftOf, type SpreadNumber, spreadShare } from './spread';

const number = (phoneNumber: string, facts: Partial<SpreadNumber> = {}): SpreadNumber => ({
  phoneNumber,
  throughput: 80,
  taken: 0,
  released: 0,
  portfolio: null,
  messagingLimit: null,
  leftToday: null,
  releasedSince: 0,
  ...facts,
});
const share = (own: string, numbers: readonly SpreadNumber[], { pending = 200, roundWorth = 16 } = {}): number =>
  spreadShare(own, { numbers, left: leftOf(numbers), pending, roundWorth });

describe('spreadShare', () => {
  it('divides the recipients by throughput', () => {
    const numbers = [number('1', { throughput: 1_000 }), number('2'), number('3', { throughput: 20 })];
    expect(['1', '2', '3'].map((own) => share(own, numbers, { pending: 1_100 }))).toEqual([1_000, 80, 20]);
  });

  it("returns the unsent part of a number's share", () =>
    expect(share('1', [number('1', { taken: 60 }), number('2', { taken: 40 })], { pending: 100 })).toBe(40));

  it('returns one batch once the share is sent', () =>
    expect(share('1', [number('1', { taken: 150 }), number('2', { taken: 10 })], { pending: 40 })).toBe(16));

  it('returns at most the pending recipients', () =>
    expect(share('1', [number('1', { taken: 150 }), number('2', { taken: 10 })], { pending: 3 })).toBe(3));

  it('returns 0 for a number that the job does not use', () => expect(share('9', [number('1')])).toBe(0));

  it('releases every recipient once in any order of the numbers', () => {
    const numbers = [number('1', { throughput: 400 }), number('2', { throughput: 200 }), number('3')];
    for (let pending = 1_000, turn = 0; pending > 0; turn += 1) {
      const own = numbers[turn % numbers.length]!;
      const taken = share(own.phoneNumber, numbers, { pending, roundWorth: Math.ceil(own.throughput / 5) });
      expect(taken).toBeGreaterThan(0);
      own.taken += taken;
      pending -= taken;
    }
    expect(numbers.map(({ taken }) => taken)).toEqual([589, 295, 116]);
  });

  it('stays within the remaining limit', () => {
    const numbers = [number('1', { leftToday: 30, releasedSince: 10 }), number('2')];
    expect(share('1', numbers)).toBe(20);
    expect(share('2', numbers)).toBe(100);
  });

  it('returns 0 at the limit while other numbers can send', () => {
    const numbers = [number('1', { leftToday: 0 }), number('2')];
    expect([share('1', numbers), share('2', numbers)]).toEqual([0, 200]);
  });

  it('ignores the limits once all numbers have reached them', () => {
    const numbers = [number('1', { leftToday: 0 }), number('2', { leftToday: 0 })];
    expect([share('1', numbers), share('2', numbers)]).toEqual([100, 100]);
  });
});

describe('leftOf', () => {
  it('shares the remaining limit among the numbers of a portfolio', () => {
    const numbers = [
      number('1', { portfolio: 'a', leftToday: 100, releasedSince: 30 }),
      number('2', { portfolio: 'a', leftToday: 100, releasedSince: 20 }),
      number('3', { portfolio: 'b', leftToday: 10, releasedSince: 20 }),
      number('4'),
    ];
    expect(leftOf(numbers)).toEqual(
      new Map([
        ['1', 50],
        ['2', 50],
        ['3', 0],
      ]),
    );
  });
});
