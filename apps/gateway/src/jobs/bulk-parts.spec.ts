import { jsonBytes, PART_BYTES } from '@switchboard/contracts';
import { partsOf } from './bulk-parts';

const rows = (count: number, text = ''): { position: number; phone: string; variables?: string[] }[] =>
  Array.from({ length: count }, (_, position) => ({
    position,
    phone: '919812345678',
    ...(text && { variables: [text] }),
  }));

it('splits long lists by row count and bytes', () => {
  expect(partsOf(rows(2_500)).map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
  for (const text of ['x'.repeat(90_000), '\u20ac'.repeat(30_000)]) {
    const wide = partsOf(rows(100, text));
    expect(wide.every((part) => part.length === 2 && jsonBytes(part) < PART_BYTES)).toBe(true);
    expect(wide.flat()).toEqual(rows(100, text));
  }
});

it('returns one part for short and empty lists', () =>
  expect([partsOf(rows(3)).length, partsOf([])]).toEqual([1, [[]]]));

it('rejects a recipient whose values exceed the message size', () => {
  const [first, second] = rows(2, 'x'.repeat(200_000));
  const [[one, other] = []] = partsOf([
    first!,
    { position: 1, phone: second!.phone, components: [{ text: 'x'.repeat(200_000) }] },
  ]);
  expect(one).toEqual({
    position: 0,
    phone: '919812345678',
    fault: { code: 'TEXT_TOO_LONG', message: 'variables must take at most 96 KB as JSON' },
  });
  expect(other).toMatchObject({
    fault: { code: 'TEXT_TOO_LONG', message: 'components must take at most 96 KB as JSON' },
  });
});
