import { filenameOf } from './filename';

describe('filenameOf', () => {
  it.each([
    ['receipt.pdf', 'receipt.pdf'],
    ['../../etc/übergabe\u0001.bin', 'übergabe.bin'],
    ['C:\\docs\\a.pdf', 'a.pdf'],
    ['a\n/b\u2028/\u0085c.pdf', 'c.pdf'],
    ['bill-\u202Efdp.exe\u2066\u200F', 'bill-fdp.exe'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(236)}.pdf`],
    // A cut within a surrogate pair would make the name unstorable.
    [`${'😀'.repeat(120)}x`, `${'😀'.repeat(119)}x`],
  ])('converts %j to %j', (given, shown) => {
    expect(filenameOf(given)).toBe(shown);
  });

  it('runs in linear time', () => {
    const startedAt = process.cpuUsage();
    // The headers of a form part may be 16 KB long.
    for (let count = 0; count < 20; count += 1) filenameOf('a'.repeat(16_000));
    expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(500);
  });

  it.each([undefined, '', '\u0001', 'folder/'])('rejects %j', (given) => {
    expect(filenameOf(given)).toBeUndefined();
  });
});
