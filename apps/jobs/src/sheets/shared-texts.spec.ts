import { SharedTexts } from './shared-texts';

it('gives each text back by its number, over many blocks', () => {
  const texts = new SharedTexts();
  const all = Array.from({ length: 20_000 }, (_unused, index) => (index % 3 === 0 ? '' : `${index} نص ${'x'.repeat(index % 997)}`));
  for (const text of all) texts.add(text);
  expect(all.every((text, index) => texts.at(index) === text)).toBe(true);
  expect([texts.at(-1), texts.at(all.length), texts.at(0.5), texts.at(Number.NaN)]).toEqual([undefined, undefined, undefined, undefined]);
});
