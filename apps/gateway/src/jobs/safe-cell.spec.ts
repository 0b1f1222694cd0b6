import { csvLine, safeCell } from './safe-cell';

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =1', '＝1', '=HYPERLINK("http://x")', '=cmd|\'/c calc\'!A1'])('%j is made harmless', (text) => {
  expect(safeCell(text)).toBe(`'${text}`);
});

it.each(['', '919812345678', 'order-7781', 'a=b', "it's", '2026-03-02T10:15:00.000Z'])('%j stays as it is', (text) => {
  expect(safeCell(text)).toBe(text);
});

it('quotes what would break a line of CSV', () => {
  expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines', '=1,2'])).toBe('a,"b,c","say ""hi""","two\nlines","\'=1,2"\r\n');
});
