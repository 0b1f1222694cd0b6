import { AppError, ID_PATTERNS, newId } from '@switchboard/contracts';
import { encodeCursor, pageOf, placeOf } from './paging';

const id = 'msg_01jd0000000000000000000000';
const request = { accountId: 'acc_1', page: 3, limit: 20 };
const after = (cursor: string, pattern: RegExp): string | null => placeOf({ ...request, cursor }, pattern).after;

describe('a page of a list', () => {
  it('is reached by its number or by a cursor', () => {
    expect(placeOf(request, ID_PATTERNS.msg)).toEqual({ after: null, offset: 40, take: 21 });
    expect(placeOf({ ...request, cursor: encodeCursor(id) }, ID_PATTERNS.msg)).toEqual({
      after: id,
      offset: 0,
      take: 21,
    });
    expect(() => placeOf({ ...request, cursor: encodeCursor(id) }, ID_PATTERNS.ct)).toThrow(AppError);
  });

  it('has a next page when an extra row was found', () => {
    expect(pageOf(['a', 'b', 'c'], 2, (row) => row)).toEqual({
      rows: ['a', 'b'],
      hasNext: true,
      nextCursor: encodeCursor('b'),
    });
    expect(pageOf(['a', 'b'], 2, (row) => row)).toEqual({ rows: ['a', 'b'], hasNext: false, nextCursor: null });
    expect(pageOf([], 2, String)).toEqual({ rows: [], hasNext: false, nextCursor: null });
  });
});

describe('a cursor', () => {
  it('contains the position', () => {
    expect(after(encodeCursor(id), ID_PATTERNS.msg)).toBe(id);
    const contact = newId('ct');
    expect(after(encodeCursor(contact), ID_PATTERNS.ct)).toBe(contact);
  });

  it('is URL-safe', () => {
    expect(encodeCursor(id)).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  it.each([
    '',
    'x',
    '../../etc',
    '💥',
    ...['msg_1', `${id}x`, "msg_x' OR 1=1", 'msg_01jd000000000000000000000U'].map(encodeCursor),
  ])('is rejected when it is %j', (cursor) => {
    const message = 'cursor is invalid';
    expect(() => after(cursor, ID_PATTERNS.msg)).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMETER', message, details: [{ field: 'cursor', message }] }),
    );
  });

  it('is rejected by another list', () => {
    expect(() => after(encodeCursor(id), ID_PATTERNS.ct)).toThrow(AppError);
  });
});
