import { type Block, type Inline, parseMarks, withoutMarks } from './text-marks';

/** Writes parsed text as a short notation: `b(…)` for bold, `code(…)`, `link(text → href)`. */
function written(parts: readonly Inline[]): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if (part.kind === 'link') return `link(${part.text} → ${part.href})`;
      return `${part.kind}(${part.kind === 'code' ? part.text : written(part.parts)})`;
    })
    .join('');
}
const blocksOf = (text: string) =>
  parseMarks(text).map((block: Block) => [block.kind, block.lines.map(written).join(' / ')]);
const lineOf = (text: string) => written(parseMarks(text)[0]?.lines[0] ?? []);

describe('text marks', () => {
  it.each([
    ['Hello *there* you', 'Hello b(there) you'],
    ['_all_ ~gone~', 'i(all) s(gone)'],
    ['*_both_*', 'b(i(both))'],
    ['*bold _and ~all~_*', 'b(bold i(and s(all)))'],
    ['(*in brackets*), *x*!', '(b(in brackets)), b(x)!'],
    ['use `npm *i*` now', 'use code(npm *i*) now'],
    ['```a *b* _c_```', 'code(a *b* _c_)'],
    ['*भारत* и *да*', 'b(भारत) и b(да)'],
    ['😀*x*😀', '😀b(x)😀'],
  ])('parses %j', (text, expected) => {
    expect(lineOf(text)).toBe(expected);
  });

  it.each([
    'snake_case_name and 2*3*4',
    'a * not bold*',
    '*not bold *',
    '**',
    '*a _b',
    '5 * 3 * 2',
    'a*b*',
    '``` ```',
    '`',
    '*one\ntwo*',
  ])('leaves %j unchanged', (text) => {
    expect(
      parseMarks(text)
        .flatMap(({ lines }) => lines.map(written))
        .join('\n'),
    ).toBe(text);
  });

  it('keeps a mark that crosses another one', () => {
    expect(lineOf('*a _b* c_')).toBe('b(a _b) c_');
  });

  it('parses lists, quotes and monospace over several lines', () => {
    expect(blocksOf('Hi\nyou\n- a *b*\n* c\n1. one\n2. two\n> said\n```x\n- y```')).toEqual([
      ['lines', 'Hi / you'],
      ['bullets', 'a b(b) / c'],
      ['numbers', 'one / two'],
      ['quote', 'said'],
      ['lines', 'code(x\n- y)'],
    ]);
    expect(parseMarks('7. seven\n9. nine')).toMatchObject([{ numbers: [7, 9] }]);
    expect(blocksOf('1.5 kg\n-5 degrees\n>:(\n2026. was')).toEqual([
      ['lines', '1.5 kg / -5 degrees / >:( / 2026. was'],
    ]);
  });

  it.each([
    ['see https://example.com/a_b?x=*1.', 'see link(https://example.com/a_b?x=*1 → https://example.com/a_b?x=*1).'],
    ['(http://example.com/x)', '(link(http://example.com/x → http://example.com/x))'],
    ['https://a.org/x_(y)', 'link(https://a.org/x_(y) → https://a.org/x_(y))'],
    ['*https://example.com*', 'b(link(https://example.com → https://example.com/))'],
    ['HTTPS://EXAMPLE.COM', 'link(HTTPS://EXAMPLE.COM → https://example.com/)'],
    ['go to example.com/x, now', 'go to link(example.com/x → https://example.com/x), now'],
    ['www.example.co.in', 'link(www.example.co.in → https://www.example.co.in/)'],
    ['https://bücher.example', 'link(https://bücher.example → https://xn--bcher-kva.example/)'],
  ])('links addresses in %j', (text, expected) => {
    expect(lineOf(text)).toBe(expected);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'javascript://example.com/alert(1)',
    'https://bank.com@evil.example/x',
    'https://user:secret@evil.example',
    'https://\u202Emoc.elpmaxe',
    'https://example.com/\u200Bx',
    'https://localhost',
    'asha@example.com',
    'bill.pdf',
    'Okay.in',
    'exаmple.com',
    'ftp://example.com.x',
    'https://bank.com∕login.evil.example/',
    'https://bank.com⁄login.evil.example/',
    'https://bank.com⠀.evil.example/',
    '<a href="https://x">y</a>',
    `https://example.com/${'x'.repeat(3_000)}`,
  ])('does not link %j', (text) => {
    expect(JSON.stringify(parseMarks(text))).not.toContain('"link"');
    expect(lineOf(text)).toBe(text);
  });

  it('keeps HTML and bidirectional controls as text', () => {
    const text = '<img src=x onerror=alert(1)> \u202Egnp.exe &lt;';
    expect(parseMarks(text)).toEqual([{ kind: 'lines', lines: [[text]] }]);
  });

  it.each([
    ['unclosed marks', '*_~'.repeat(1_366)],
    ['nested pairs', `${'*_~'.repeat(680)}x${'~_*'.repeat(680)}`],
    ['openers of one kind', ' *a'.repeat(1_365)],
    ['backticks', '`'.repeat(4_096)],
    ['spaced backticks', '``` '.repeat(1_024)],
    ['labels', 'a.'.repeat(2_048)],
    ['brackets', `https://a.com/${')'.repeat(2_000)}`],
    ['line breaks', '> *\n'.repeat(1_024)],
  ])('parses 4,096 characters of %s in linear time', (_title, text) => {
    // Quadratic time would exceed the time limit of the test by far.
    const parsed = [text, `${text}…`].flatMap((each) => parseMarks(each.repeat(32), { isCut: true }));
    expect(withoutMarks(`${text.repeat(32)}…`)).not.toBe('');
    const depth = (parts: readonly Inline[]): number =>
      Math.max(0, ...parts.map((part) => (typeof part === 'object' && 'parts' in part ? 1 + depth(part.parts) : 0)));
    expect(Math.max(...parsed.flatMap(({ lines }) => lines.map(depth)))).toBeLessThanOrEqual(3);
  });

  it.each([
    ['*Hi* _you_\n- `a`\n> b', 'Hi you a b'],
    ['1. one\n2. two', '1. one 2. two'],
    ['*An offer for all of…', 'An offer for all of…'],
    ['see _https://example.com_', 'see https://example.com'],
    ['*unclosed', '*unclosed'],
    ['snake_case', 'snake_case'],
  ])('removes the marks of a preview: %j', (text, expected) => {
    expect(withoutMarks(text)).toBe(expected);
  });
});
