import { AppError, newId } from '@switchboard/contracts';
import { decodeCursor, encodeCursor } from './cursor';

const id = 'msg_01jd0000000000000000000000';

describe('cursor', () => {
  it('keeps the place', () => {
    expect(decodeCursor(encodeCursor(id), 'msg')).toBe(id);
    const contact = newId('ct');
    expect(decodeCursor(encodeCursor(contact), 'ct')).toBe(contact);
  });

  it('fits into a URL as it is', () => {
    expect(encodeCursor(id)).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  it.each(['', 'x', '../../etc', '💥', ...['msg_1', `${id}x`, "msg_x' OR 1=1", 'msg_01jd000000000000000000000U'].map(encodeCursor)])('refuses %j', (cursor) => {
    const message = 'cursor is invalid';
    expect(() => decodeCursor(cursor, 'msg')).toThrow(new AppError('INVALID_PARAMETER', { message, details: [{ field: 'cursor', message }] }));
  });

  it('of one list is refused by another', () => {
    expect(() => decodeCursor(encodeCursor(id), 'ct')).toThrow(AppError);
  });
});
