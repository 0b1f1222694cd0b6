import { amountText, differenceText, expectedDurationText, rangeText } from './bill-texts';

describe('rangeText', () => {
  it.each([
    ['0.03', '0.03', 'USD', '0.03 USD'],
    ['0.03', '0.05', 'EUR', '0.03–0.05 EUR'],
    ['350.0424', '350.0424', 'USD', '350.04 USD'],
    ['7.2283', '7.2311', 'USD', '7.23 USD'],
    [null, null, 'USD', 'Unknown'],
    ['0.00', '0.00', null, 'Unknown'],
  ])('formats %s to %s in %s as "%s"', (lowest, highest, currency, text) =>
    expect(rangeText({ lowest, highest }, currency)).toBe(text),
  );

  it('calls a price without all rates a lower bound', () =>
    expect(rangeText({ lowest: '3.54', highest: '4.20', unrated: 1 }, 'USD')).toBe('At least 3.54 USD'));
});

describe('amountText', () => {
  it.each([
    ['2.419', 0, '2.42 USD'],
    ['1.995', 0, '2.00 USD'],
    ['0.1601', 0, '0.1601 USD'],
    ['3.54', 1, 'At least 3.54 USD'],
    [null, 1, 'Unknown'],
  ])('formats %s with %s unrated messages as "%s"', (amount, unrated, text) =>
    expect(amountText(amount, 'USD', unrated)).toBe(text),
  );
});

describe('differenceText', () => {
  it.each([
    ['0.03', '0.03', '0.0300', 'None', 'as estimated'],
    ['0.03', '0.05', '0.04', 'None', 'within the estimate'],
    ['0.03', '0.05', '0.06', '+0.01 USD', '20.0% above the estimate'],
    ['12.00', '14.00', '11.9988', '−0.0012 USD', '0.0% below the estimate'],
    ['0.00', '0.00', '1000000000.5', '+1000000000.50 USD', 'above the estimate'],
  ])('compares %s to %s with %s as "%s", %s', (lowest, highest, amount, text, note) =>
    expect(differenceText({ lowest, highest }, amount, 'USD')).toEqual({ text, note }),
  );

  it('returns nothing if the estimate or the amount is unknown', () => {
    expect(differenceText({ lowest: null, highest: null }, '1.00', 'USD')).toBeUndefined();
    expect(differenceText({ lowest: '1.00', highest: '1.00' }, null, 'USD')).toBeUndefined();
    expect(differenceText({ lowest: '1.00', highest: '1.00' }, '1.00', null)).toBeUndefined();
  });
});

describe('expectedDurationText', () => {
  it.each([
    [0, 'Less than a minute'],
    [59, 'Less than a minute'],
    [61, 'About 2 min'],
    [3_601, 'About 2 h'],
    [86_400, 'About 1 day'],
    [86_401, 'About 2 days'],
    [null, 'Unknown'],
  ])('formats %s seconds as "%s"', (seconds, text) => expect(expectedDurationText(seconds)).toBe(text));
});
