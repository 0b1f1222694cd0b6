import { AppError, parseBody } from '@switchboard/contracts';
import { IsOptional } from 'class-validator';
import { CursorQuery, PageQuery } from './page-query';
import { IsFlag, IsFragment, IsLike, IsOneOf, IsPointInTime, IsRecordText, IsWholeNumber } from './query-rules';

class SomeQuery {
  @IsOptional() @IsPointInTime() since?: string;
  @IsOptional() @IsFragment() search?: string;
  @IsOptional() @IsFlag() on?: boolean;
  @IsOptional() @IsOneOf(['one', 'two']) kind?: string;
  @IsOptional() @IsLike(/^x+$/, 'a row of x') row?: string;
  @IsOptional() @IsRecordText(3) note?: string;
  @IsOptional() @IsWholeNumber({ least: 1, most: 31 }) days = 14;
}

function errorOf(query: object, type: new () => object = SomeQuery): Pick<AppError, 'code' | 'message'> | undefined {
  try {
    parseBody(type, query);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, message: error.message };
  }
}

describe('list query', () => {
  it('defaults to the first 20 items and allows at most 100', () => {
    expect(parseBody(PageQuery, {})).toEqual({ page: 1, limit: 20 });
    expect(parseBody(PageQuery, { limit: '5000', page: '3' })).toEqual({ limit: 100, page: 3 });
    expect(parseBody(CursorQuery, { page: 'first', cursor: 'abc_-1' })).toEqual({ limit: 20, cursor: 'abc_-1' });
    expect(errorOf({ page: '90071992547409' }, PageQuery)).toBeUndefined();
  });

  it.each([
    [{ page: '0' }, 'page must be a positive integer'],
    [{ page: '' }, 'page must be a positive integer'],
    [{ limit: '-1' }, 'limit must be a positive integer'],
    [{ limit: ['1', '2'] }, 'limit must be given once'],
    [{ cursor: 'a b' }, 'cursor is not one that the API gave'],
    [{ cursor: 'x'.repeat(513) }, 'cursor is not one that the API gave'],
    [{ cursor: ['a', 'b'] }, 'cursor must be given once'],
  ])('rejects %j: %s', (query, message) => {
    expect(errorOf(query, PageQuery)).toEqual({ code: 'INVALID_PARAMETER', message });
  });
});

describe('query rules', () => {
  it.each([
    ['2026-03-02', '2026-03-02T00:00:00.000Z'],
    ['2026-03-02T10:15:00Z', '2026-03-02T10:15:00.000Z'],
    ['2026-03-02T10:15:00.120+05:30', '2026-03-02T04:45:00.120Z'],
  ])('accepts the time %s', (since, expected) => {
    expect(parseBody(SomeQuery, { since })).toMatchObject({ since: expected });
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
  ])('rejects the time %j', (since) => {
    const message = 'since must be a time such as 2026-03-02T10:15:00Z';
    expect(errorOf({ since })).toEqual({ code: 'INVALID_VALUE', message });
  });

  it.each([
    ['+91 98', '9198'],
    ['Asha R', 'AshaR'],
    ['  asha  ', 'asha'],
    [` ${'x'.repeat(100)} `, 'x'.repeat(100)],
    ['李小', '李小'],
    ['कु', 'कु'],
    ['가나', '가나'],
  ])('removes plus signs and spaces from the search %j', (search, expected) => {
    expect(parseBody(SomeQuery, { search })).toMatchObject({ search: expected });
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
  ])('rejects the search %j', (search) => {
    expect(errorOf({ search })?.code).toBe('INVALID_VALUE');
  });

  it.each(['😀', '❤\uFE0F', '€'])('counts %s as one character, like a body', (character) => {
    expect(errorOf({ note: character.repeat(3) })).toBeUndefined();
    expect(errorOf({ note: character.repeat(4) })?.code).toBe('INVALID_VALUE');
  });

  it('reads true and false as booleans', () => {
    expect(parseBody(SomeQuery, { on: 'true' })).toMatchObject({ on: true });
    expect(parseBody(SomeQuery, { on: 'false' })).toMatchObject({ on: false });
    expect(parseBody(SomeQuery, {})).toEqual({ days: 14 });
  });

  it.each([
    [{ on: '1' }, 'INVALID_PARAMETER', 'on must be one of true, false'],
    [{ on: 'TRUE' }, 'INVALID_PARAMETER', 'on must be one of true, false'],
    [{ on: '' }, 'INVALID_PARAMETER', 'on must be one of true, false'],
    [{ on: ['true', 'true'] }, 'INVALID_PARAMETER', 'on must be given once'],
    [{ kind: 'three' }, 'INVALID_PARAMETER', 'kind must be one of one, two'],
    [{ kind: ['one', 'two'] }, 'INVALID_PARAMETER', 'kind must be given once'],
    [{ row: 'xy' }, 'INVALID_PARAMETER', 'row is not a row of x'],
    [{ days: '32' }, 'INVALID_PARAMETER', 'days must be a whole number from 1 to 31'],
    [{ days: '1.5' }, 'INVALID_PARAMETER', 'days must be a whole number from 1 to 31'],
    [{ note: '' }, 'INVALID_VALUE', 'note must have 1 to 3 characters'],
    [{ note: 'abcd' }, 'INVALID_VALUE', 'note must have 1 to 3 characters'],
    [{ note: 'a\u0000' }, 'INVALID_VALUE', 'note holds characters that cannot be stored'],
    [{ note: ['a', 'b'] }, 'INVALID_PARAMETER', 'note must be given once'],
    [{ since: ['2026-03-02', '2026-03-02'] }, 'INVALID_PARAMETER', 'since must be given once'],
    [{ search: ['asha', 'ravi'] }, 'INVALID_PARAMETER', 'search must be given once'],
  ])('rejects %j with %s', (query, code, message) => {
    expect(errorOf(query)).toEqual({ code, message });
  });
});
