import { highlighted } from './highlight';

const words = (html: string): string[] =>
  [...html.matchAll(/<span class="(\w)">(.*?)<\/span>/g)].map(([, kind = '', text = '']) => `${kind} ${text}`);

describe('highlighted code', () => {
  it('preserves the text and escapes markup', () => {
    expect(highlighted('{"a": "<b>&"}', 'json')).toBe(
      '{<span class="k">&quot;a&quot;</span>: <span class="s">&quot;&lt;b>&amp;&quot;</span>}',
    );
  });

  it.each([
    ['json', '{"a": true, "b": "c"}', ['k &quot;a&quot;', 'n true', 'k &quot;b&quot;', 's &quot;c&quot;']],
    ['typescript', "const a = await f('x', 12);", ['k const', 'k await', "s 'x'", 'n 12']],
    ['python', 'print(None, "x") # y', ['k print', 'n None', 's &quot;x&quot;', 'c # y']],
    ['curl', "curl -X POST 'u'", ['k curl', 'k  -X', "s 'u'"]],
  ] as const)('marks the parts of %s', (language, code, parts) => {
    expect(words(highlighted(code, language))).toEqual(parts);
  });
});
