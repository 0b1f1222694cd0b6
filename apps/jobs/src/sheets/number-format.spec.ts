import { type Cell, phoneOf, textOf } from './cell';
import { NumberFormat } from './number-format';

const cellOf = (raw: string, code: string): Cell => ({
  column: 1,
  type: 'n',
  raw,
  isFormula: false,
  numberFormat: new NumberFormat(code, { is1904: false, used: new Set() }),
});

describe('formatted number', () => {
  it.each([
    ['42', '000000', '000042'],
    ['7', '"INV-"0000', 'INV-0007'],
    ['0.25', '0%', '25%'],
    ['0.125', '0.0%', '12.5%'],
    ['12', '0 "days"', '12 days'],
    ['12.5', '0.00\\ "kg"', '12.50 kg'],
    ['12', 'General" kg"', '12 kg'],
    ['5551234', '[<=9999999]###-####;(###) ###-####', '555-1234'],
    ['123456789', '000-00-0000', '123-45-6789'],
    ['1', '"Yes";;"No"', 'Yes'],
    ['0', '"Yes";;"No"', 'No'],
    ['7', '[Red]000', '007'],
    ['7', '[$-409]000', '007'],
  ])('%s with %s is sent as displayed: %s', (raw, code, text) => expect(textOf(cellOf(raw, code))).toEqual({ text }));

  it.each([
    ['1234.5', '#,##0.00'],
    ['1234.5', '[$€-407] #,##0.00'],
    ['1234', '#,##0 "days"'],
    ['0.5', '# ?/?'],
    ['1234.5', '0.00E+00'],
    ['1.5', '0.00'],
    ['1.25', '0.0;(0.0)'],
    ['42', ';;;'],
    ['42', '0"'],
    ['1000000000000000000000', '0000'],
  ])('%s with %s is sent as stored, with a warning', (raw, code) =>
    expect(textOf(cellOf(raw, code))).toEqual({ text: raw, isAsStored: true }),
  );

  it.each([
    ['42', '0'],
    ['42', '#,##0'],
    ['1.25', '0.00'],
    ['-7', '0;-0'],
  ])('%s with %s is displayed as it is stored', (raw, code) =>
    expect(textOf(cellOf(raw, code))).toEqual({ text: raw }),
  );

  it('is a phone number only by its stored digits', () => {
    expect(phoneOf(cellOf('919812345678', '+00 00000 00000'))).toEqual({ text: '919812345678' });
    expect(phoneOf(cellOf('919812345678', '#,##0'))).toEqual({ text: '919812345678' });
    expect(phoneOf(cellOf('9812345678', '00000000000'))).toEqual({
      text: '09812345678',
      problem: 'displays other digits than the number 9812345678 that it holds: write it as text',
    });
  });

  it('is rejected when the workbook has too many formats', () => {
    const book = { is1904: false, used: new Set<string>() };
    const showAll = (count: number): void => {
      for (let zeros = 2; zeros < count + 2; zeros += 1) new NumberFormat('0'.repeat(zeros), book).show(1);
    };
    showAll(64);
    expect(() => showAll(65)).toThrow('its cells have too many formats');
  });
});
