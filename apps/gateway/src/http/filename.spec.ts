import { filenameOf } from './filename';

describe('filenameOf', () => {
  it.each([
    ['receipt.pdf', 'receipt.pdf'],
    ['../../etc/übergabe\u0001.bin', 'übergabe.bin'],
    ['C:\\docs\\a.pdf', 'a.pdf'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(236)}.pdf`],
    // A cut within a surrogate pair would make the name unstorable.
    [`${'😀'.repeat(120)}x`, `${'😀'.repeat(119)}x`],
  ])('converts %j to %j', (given, shown) => {
    expect(filenameOf(given)).toBe(shown);
  });

  it.each([undefined, '', '\u0001', 'folder/'])('rejects %j', (given) => {
    expect(filenameOf(given)).toBeUndefined();
  });
});
