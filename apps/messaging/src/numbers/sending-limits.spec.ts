import { messagingLimitOf, throughputOf } from './sending-limits';

describe('messagingLimitOf', () => {
  it.each([
    ['TIER_50', 50],
    ['TIER_250', 250],
    ['TIER_2K', 2_000],
    ['TIER_100K', 100_000],
    ['TIER_UNLIMITED', null],
    ['TIER_NOT_SET', null],
    [null, null],
  ])('returns the limit of %s', (tier, limit) => expect(messagingLimitOf(tier)).toBe(limit));
});

describe('throughputOf', () => {
  it('returns the standard throughput for unknown levels', () =>
    expect(['STANDARD', null, 'HIGH'].map(throughputOf)).toEqual([80, 80, 1_000]));
});
