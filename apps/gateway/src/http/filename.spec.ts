import { filenameOf } from './filename';

describe('the name of an uploaded file', () => {
  it.each([
    ['receipt.pdf', 'receipt.pdf'],
    ['../../etc/übergabe\u0001.bin', 'übergabe.bin'],
    ['C:\\docs\\a.pdf', 'a.pdf'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(236)}.pdf`],
    // Cut in the middle of a character it could not be stored.
    [`${'😀'.repeat(120)}x`, `${'😀'.repeat(119)}x`],
  ])('%j is shown as %j', (given, shown) => {
    expect(filenameOf(given)).toBe(shown);
  });

  it.each([undefined, '', '\u0001', 'folder/'])('%j is none', (given) => {
    expect(filenameOf(given)).toBeUndefined();
  });
});
