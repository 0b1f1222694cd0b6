import { AppError } from '@switchboard/contracts';
import { flagOf, fragmentOf, parsePaging, type Query, timeOf } from './list-query';

function codeOf(parse: (query: Query) => unknown, query: Query): string {
  try {
    parse(query);
    return 'taken';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

describe('the query of a list', () => {
  it('begins with the first 20, and gives 100 at most', () => {
    expect(parsePaging({})).toEqual({ page: 1, limit: 20 });
    expect(parsePaging({ limit: '5000', page: '3' })).toEqual({ limit: 100, page: 3 });
  });

  it.each([
    [{ page: '0' }, 'INVALID_PARAMETER'],
    [{ limit: '-1' }, 'INVALID_PARAMETER'],
    [{ page: '90071992547409' }, 'taken'],
    [{ cursor: 'a b' }, 'INVALID_PARAMETER'],
  ])('%j is %s', (query, code) => {
    expect(codeOf(parsePaging, query)).toBe(code);
  });

  it.each([
    ['2026-03-02', '2026-03-02T00:00:00.000Z'],
    ['2026-03-02T10:15:00Z', '2026-03-02T10:15:00.000Z'],
    ['2026-03-02T10:15:00.120+05:30', '2026-03-02T04:45:00.120Z'],
  ])('takes the time %s', (text, expected) => {
    expect(timeOf({ since: text }, 'since')).toBe(expected);
  });

  it.each([
    '',
    'yesterday',
    '2026-13-01',
    '2026-02-30',
    '9999-12-31T23:59:59-14:00',
    '0000-01-01T00:00:00+14:00',
    '2026-03-02T10:15:00',
    '1790416830',
    '+012026-03-02T00:00:00Z',
  ])('refuses the time %j', (since) => {
    expect(codeOf((query) => timeOf(query, 'since'), { since })).toBe('INVALID_VALUE');
  });

  it.each([
    ['+91 98', '9198'],
    ['Asha R', 'AshaR'],
    ['  asha  ', 'asha'],
    [` ${'x'.repeat(100)} `, 'x'.repeat(100)],
    ['李小', '李小'],
    ['कु', 'कु'],
    ['가나', '가나'],
  ])('drops pluses and blanks of a search: %j', (q, expected) => {
    expect(fragmentOf({ q }, 'q')).toBe(expected);
  });

  it.each([
    '',
    '  ',
    'a',
    '+ 9',
    '😀',
    'e\u0301',
    'é',
    '\u0301\u0301',
    'مُ',
    '\u200b\u200b',
    'x'.repeat(101),
    'ab\u0000',
    'ab\uD800',
  ])('refuses the search %j', (q) => {
    expect(codeOf((query) => fragmentOf(query, 'q'), { q })).toBe('INVALID_VALUE');
  });

  it('knows true and false, and nothing between', () => {
    expect([flagOf({ on: 'true' }, 'on'), flagOf({ on: 'false' }, 'on'), flagOf({}, 'on')]).toEqual([
      true,
      false,
      undefined,
    ]);
    for (const on of ['1', 'TRUE', '', ['true', 'true']])
      expect(codeOf((query) => flagOf(query, 'on'), { on })).toBe('INVALID_PARAMETER');
  });
});
