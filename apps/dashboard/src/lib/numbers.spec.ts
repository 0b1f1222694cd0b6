import { compactText, countText, decimalText, percentText, sizeText } from './numbers';

describe('number formats', () => {
  it('use one fixed locale', () => {
    expect([countText(10_000), percentText(0.921), decimalText(1_234.56), compactText(12_000)]).toEqual([
      '10,000',
      '92.1%',
      '1,234.6',
      '12k',
    ]);
  });

  it.each([
    [1, '1 KB'],
    [2_048_000, '2.0 MB'],
    [1_047_552, '1,023 KB'],
  ])('format %d bytes as %s', (bytes, text) => {
    expect(sizeText(bytes)).toBe(text);
  });
});
