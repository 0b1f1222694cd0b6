import { csvLine, safeCell } from './safe-cell';

it.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  ' =1',
  '＝1',
  '=HYPERLINK("http://x")',
  "=cmd|'/c calc'!A1",
])('escapes %j', (text) => {
  expect(safeCell(text)).toBe(`'${text}`);
});

it.each(['', '919812345678', 'order-7781', 'a=b', "it's", '2026-03-02T10:15:00.000Z'])(
  'returns %j unchanged',
  (text) => {
    expect(safeCell(text)).toBe(text);
  },
);

it('quotes CSV delimiters', () => {
  expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines', '=1,2'])).toBe(
    'a,"b,c","say ""hi""","two\nlines","\'=1,2"\r\n',
  );
});

describe('csvLine', () => {
  const FORMULA = /^[\s"]*[=+\-@＝＋－＠]/;
  const dangers = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
  const separators = [';', '|', '\t', '\r', '\n', ';;', '; ', '|\u00A0', '\t\t', ';\t ', '";', 'x;"'];
  const texts = separators.flatMap((separator) =>
    dangers.flatMap((danger) => [
      `a${separator}${danger}1+1`,
      `${separator}${danger}1`,
      `a"${separator}${danger}1`,
      `a,b${separator}${danger}1`,
    ]),
  );

  it.each([';', '|', '\t'])('contains no formula for programs that separate cells by %j', (separator) => {
    for (const text of texts) {
      const cells = csvLine(['1', text, 'end'])
        .split(/[\r\n]+/)
        .flatMap((line) => line.split(separator));
      expect([text, cells.filter((cell) => FORMULA.test(cell))]).toEqual([text, []]);
    }
  });

  it.each(['order-7781; 12', 'a | b', 'name\tage', 'a;b=c', 'Order 12-13; ready'])('leaves %j unchanged', (text) => {
    expect(csvLine([text])).toBe(`${text}\r\n`);
  });

  it('takes linear time for any content', () => {
    for (const piece of [';', '\t', '\n', ' ', '; ', '|\u00A0']) {
      const text = `a${piece.repeat(100_000)}a`;
      const startedAt = performance.now();
      csvLine([text]);
      expect(performance.now() - startedAt).toBeLessThan(500);
    }
  });
});
