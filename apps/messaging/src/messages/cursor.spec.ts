import { AppError } from '@switchboard/contracts';
import { decodeCursor, encodeCursor } from './cursor';

const position = { createdAt: '2026-03-02T10:15:00.123456Z', id: 'msg_01jd0000000000000000000000' };

describe('cursor', () => {
  it('keeps the position to the microsecond', () => {
    expect(decodeCursor(encodeCursor(position))).toEqual(position);
  });

  it('fits into a URL as it is', () => {
    expect(encodeCursor(position)).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  it.each([
    '',
    'x',
    '../../etc',
    '💥',
    Buffer.from('2026-03-02T10:15:00.123456Z').toString('base64url'),
    encodeCursor({ ...position, createdAt: '2026-03-02T10:15:00.123Z' }),
    encodeCursor({ ...position, createdAt: '2026-13-42T10:15:00.123456Z' }),
    encodeCursor({ ...position, id: "x' OR 1=1" }),
    encodeCursor({ ...position, id: 'x y' }),
  ])('refuses %j', (cursor) => {
    expect(() => decodeCursor(cursor)).toThrow(new AppError('INVALID_PARAMETER', { message: 'cursor is invalid' }));
  });
});
