import { AppError } from '@switchboard/contracts';
import { encodeCursor } from './cursor';
import { pageOf, placeOf } from './page';

const id = 'ct_01jd0000000000000000000000';
const request = { accountId: 'acc_1', page: 3, limit: 20 };

describe('a page of a list', () => {
  it('is reached by its number, or from the last item of another one', () => {
    expect(placeOf(request, 'ct')).toEqual({ after: null, offset: 40, take: 21 });
    expect(placeOf({ ...request, cursor: encodeCursor(id) }, 'ct')).toEqual({ after: id, offset: 0, take: 21 });
    expect(() => placeOf({ ...request, cursor: encodeCursor(id) }, 'msg')).toThrow(AppError);
  });

  it('has a next one when one row more was found', () => {
    expect(pageOf(['a', 'b', 'c'], 2, (row) => row)).toEqual({ rows: ['a', 'b'], hasNext: true, nextCursor: encodeCursor('b') });
    expect(pageOf(['a', 'b'], 2, (row) => row)).toEqual({ rows: ['a', 'b'], hasNext: false, nextCursor: null });
    expect(pageOf([], 2, String)).toEqual({ rows: [], hasNext: false, nextCursor: null });
  });
});
