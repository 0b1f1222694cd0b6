import type { Cell } from './cell';
import { readHeader } from './header';

const cells = (...names: (string | number)[]): Cell[] =>
  names.map((name, index) => ({
    column: index + 1,
    type: typeof name === 'number' ? 'n' : 't',
    raw: String(name),
    isDate: false,
    isFormula: false,
  }));
const limits = { columns: 5 };

it.each([['phone'], ['Phone'], ['  PHONE '], ['\uFEFFphone'], ['\u200Fphone\u00A0']])(
  'accepts %j as the phone column',
  (name) => {
    expect(readHeader(cells('Name', name), limits)).toEqual({ phone: 2, clientRef: undefined, variables: [] });
  },
);

it.each(['user id', 'User ID', 'userId', 'user_id', '\uFEFFuser id '])('accepts %j as the user id column', (name) => {
  expect(readHeader(cells(name, 'phone'), limits)).toMatchObject({ phone: 2, userId: 1 });
  expect(readHeader(cells('Name', name), limits)).toMatchObject({ phone: undefined, userId: 2 });
});

it.each(['user id', 'User ID', 'userId', 'user_id', '\uFEFFuser id '])('accepts %j as the user id column', (name) => {
  expect(readHeader(cells(name, 'phone'), limits)).toMatchObject({ phone: 2, userId: 1 });
  expect(readHeader(cells('Name', name), limits)).toMatchObject({ phone: undefined, userId: 2 });
});

it('recognises variable and reference columns', () => {
  const row = cells(2, '{{ 1 }}', 'phone', '{{Order_id}}', 'ClientRef', 'Header Link', 'button 1', 'colour');
  expect(readHeader(row, { columns: 8 })).toEqual({
    phone: 3,
    clientRef: 5,
    variables: [
      { key: '2', title: '2', column: 1 },
      { key: '1', title: '{{ 1 }}', column: 2 },
      { key: 'order_id', title: '{{Order_id}}', column: 4 },
      { key: 'header link', title: 'Header Link', column: 6 },
      { key: 'button 1', title: 'button 1', column: 7 },
    ],
  });
});

it.each([
  [
    cells('mobile', 'name'),
    'the file cannot be read: it has no column named phone or user id; its first row has mobile, name',
  ],
  [cells('phone', ' Phone '), 'the file cannot be read: it has more than one column named phone'],
  [cells('user id', 'userid'), 'the file cannot be read: it has more than one column named user id'],
  [cells('user id', 'userid'), 'the file cannot be read: it has more than one column named user id'],
  [cells('phone', '1', '{{1}}'), 'the file cannot be read: it has more than one column for the variable 1'],
  [cells('phone', 'header 1', 'Header {{1}}'), 'it has more than one column for the variable header 1'],
  [cells('phone', 'a', 'b', 'c', 'd', 'e'), 'the file cannot be read: it has more than 5 columns'],
])('rejects invalid headers', (row, message) => expect(() => readHeader(row, limits)).toThrow(message));

it('shows only the first headers found, truncated', () => {
  const names = Array.from({ length: 30 }, (_unused, index) => `${index}-${'x'.repeat(99)}`);
  expect(() => readHeader(cells(...names), { columns: 100 })).toThrow(/^.{0,1000}, …$/);
});

it('does not match a truncated name', () => {
  expect(() => readHeader(cells(`phone${' '.repeat(195)}x`), limits)).toThrow(
    /no column named phone or user id; its first row has phone +$/,
  );
  expect(readHeader(cells('phone', `{{${'x'.repeat(199)}`, `{{${'x'.repeat(196)}}}`), limits).variables).toEqual([
    { key: 'x'.repeat(196), title: `{{${'x'.repeat(196)}}}`, column: 3 },
  ]);
});
