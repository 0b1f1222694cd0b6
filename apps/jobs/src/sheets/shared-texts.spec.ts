import { countTexts, SharedTexts } from './shared-texts';

it('returns each text by its number over many blocks', () => {
  const texts = new SharedTexts(32_000_000);
  const all = Array.from({ length: 20_000 }, (_unused, index) =>
    index % 3 === 0 ? '' : `${index} ${'x'.repeat(index % 997)} نص`,
  );
  for (const text of all) texts.add(text);
  expect(all.every((text, index) => texts.at(index) === text)).toBe(true);
  expect([texts.at(-1), texts.at(all.length), texts.at(0.5), texts.at(Number.NaN)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

it('trims texts, and truncates those too long for any column', () => {
  const texts = new SharedTexts(32_000_000);
  for (const text of [
    ' \u00A0x\n',
    ' '.repeat(40_000),
    'x'.repeat(1_024),
    'x'.repeat(1_025),
    'x'.repeat(32_767),
    '€'.repeat(32_767),
    '😀'.repeat(600),
  ])
    texts.add(text);
  expect([texts.at(0), texts.at(1)]).toEqual(['x', '']);
  expect([2, 3, 4, 5, 6].map((index) => texts.at(index)?.length)).toEqual([1_024, 1_025, 1_025, 1_025, 1_025]);
  expect([texts.at(4, 10), texts.at(5, 10), texts.at(6, 4)]).toEqual(['x'.repeat(10), '€'.repeat(10), '😀😀']);
});

it.each([
  ['long texts', 'x'.repeat(1_000)],
  ['empty texts', ''],
])('rejects more texts than its memory holds: %s', (_what, text) => {
  const texts = new SharedTexts(4_194_304);
  const held = (): void => {
    for (let count = 0; count < 1_000_001; count += 1) texts.add(text);
  };
  expect(held).toThrow('it has too much text');
});

it.each([
  ['<sst count="9"><si/><si></si><si ><t>si</t></si ><si\n/></sst>', 4],
  ['<x:sst><x:si/><x:si x:a="1"><x:t/></x:si></x:sst>', 2],
  ['<sst><size/><s/><i/><ssi/><si2/><t>si</t><six:t/><?si ?></sst>', 0],
  ['<sst/>', 0],
])('counts the texts of %s at any chunk boundaries', async (xml, count) => {
  const bytes = Buffer.from(xml);
  for (let length = 1; length <= bytes.length; length += 1) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / length) }, (_unused, index) =>
      bytes.subarray(index * length, (index + 1) * length),
    );
    expect(await countTexts(chunksOf(pieces))).toBe(count);
  }
});

async function* chunksOf(pieces: Buffer[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}
