import { partsOf } from './bulk-parts';

const rows = (count: number, text = ''): { position: number; phone: string; variables?: string[] }[] =>
  Array.from({ length: count }, (_, position) => ({ position, phone: '919812345678', ...(text && { variables: [text] }) }));

it('cuts long lists, by their number and by their size, and loses nobody', () => {
  expect(partsOf(rows(2_500)).map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
  const wide = partsOf(rows(100, 'x'.repeat(100_000)));
  expect(wide.every((part) => part.length === 2)).toBe(true);
  expect(wide.flat()).toEqual(rows(100, 'x'.repeat(100_000)));
  expect(partsOf(rows(1, 'x'.repeat(1_000_000)))).toHaveLength(1);
});

it('leaves a short one whole, and an empty one a part', () => expect([partsOf(rows(3)).length, partsOf([])]).toEqual([1, [[]]]));
