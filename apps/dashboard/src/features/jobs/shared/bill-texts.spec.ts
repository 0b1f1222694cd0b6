import { durationText, rangeText } from './bill-texts';

describe('rangeText', () => {
  it.each([
    ['0.03', '0.03', 'USD', '0.03 USD'],
    ['0.03', '0.05', 'EUR', '0.03–0.05 EUR'],
    [null, null, 'USD', 'Unknown'],
    ['0.00', '0.00', null, 'Unknown'],
  ])('formats %s to %s in %s as "%s"', (lowest, highest, currency, text) =>
    expect(rangeText({ lowest, highest }, currency)).toBe(text),
  );
});

describe('durationText', () => {
  it.each([
    [0, '0 s'],
    [59, '59 s'],
    [61, '2 min'],
    [3_601, '2 h'],
    [86_400, '1 day'],
    [86_401, '2 days'],
    [null, 'Unknown'],
  ])('formats %s seconds as "%s"', (seconds, text) => expect(durationText(seconds)).toBe(text));
});
