import { labelledPlaces, pathOf, pointsOf, ticksUpTo } from './chart-scale';

describe('chart scale', () => {
  it.each([
    [0, [0, 1, 2, 3, 4]],
    [4, [0, 1, 2, 3, 4]],
    [5, [0, 2, 4, 6, 8]],
    [9, [0, 5, 10, 15, 20]],
    [100, [0, 25, 50, 75, 100]],
    [317, [0, 100, 200, 300, 400]],
    [1_000_000, [0, 250_000, 500_000, 750_000, 1_000_000]],
  ])('uses whole-number ticks up to %d', (most, ticks) => {
    expect(ticksUpTo(most)).toEqual(ticks);
  });

  it('labels the first and last positions without overlap', () => {
    expect(labelledPlaces(14, 5)).toEqual([0, 3, 6, 9, 13]);
    expect(labelledPlaces(1, 5)).toEqual([0]);
    expect(labelledPlaces(2, 5)).toEqual([0, 1]);
    for (let places = 2; places <= 90; places += 1) {
      const labels = labelledPlaces(places, 5);
      expect([labels[0], labels.at(-1)]).toEqual([0, places - 1]);
      expect(labels.length).toBeLessThanOrEqual(7);
    }
  });

  it('spreads values from edge to edge, with the maximum at the top', () => {
    expect(pathOf(pointsOf([0, 5, 10], 10))).toBe('M0 100L50 50L100 0');
    expect(pathOf(pointsOf([3], 0))).toBe('M0 100');
  });
});
