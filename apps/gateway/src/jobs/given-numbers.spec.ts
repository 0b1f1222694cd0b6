import { parseFormNumbers, parseNumbers } from './given-numbers';

const [A, B] = ['15550783881', '15550783882'] as const;

describe('parseNumbers', () => {
  it.each([
    [undefined, {}],
    [A, { from: A }],
    [[A], { from: A }],
    [[A, A], { from: A }],
    [[A, B], { from: A, numbers: [A, B] }],
  ])('reads %j', (given, expected) => expect(parseNumbers(given)).toEqual(expected));

  it.each([
    [[], 'INVALID_VALUE', 'from'],
    [Array(21).fill(A), 'INVALID_VALUE', 'from'],
    [null, 'INVALID_PARAMETER', 'from'],
    [[A, 7], 'INVALID_PARAMETER', 'from.1'],
    [[A, '12'], 'INVALID_PHONE', 'from.1'],
    ['12', 'INVALID_PHONE', 'from'],
  ])('rejects %j with %s', (given, code, field) =>
    expect(() => parseNumbers(given)).toThrow(
      expect.objectContaining({ code, details: [expect.objectContaining({ field })] }),
    ),
  );
});

it('splits the numbers of a form at commas', () => {
  expect(parseFormNumbers(`${A}, ${B}`)).toEqual({ from: A, numbers: [A, B] });
  expect(parseFormNumbers(A)).toEqual({ from: A });
  expect(parseFormNumbers(undefined)).toEqual({});
  expect(() => parseFormNumbers(`${A},`)).toThrow(expect.objectContaining({ code: 'INVALID_PHONE' }));
});
