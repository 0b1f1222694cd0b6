import { bytesOfId, firstIdAt, ID_BYTES, idOf, isId, newId, timeOfId } from './ids';

const TIME = Date.parse('2026-03-02T10:15:04.120Z');

describe('an identifier', () => {
  it('has its prefix and carries its time, to the millisecond', () => {
    const before = Date.now();
    const id = newId('job');
    expect(isId('job', id)).toBe(true);
    expect(isId('msg', id)).toBe(false);
    expect(Number(timeOfId('job', id))).toBeGreaterThanOrEqual(before);
    expect(Number(timeOfId('job', id))).toBeLessThanOrEqual(Date.now());
  });

  it('of given bytes is a UUIDv7 with these bytes behind the time', () => {
    const bytes = Buffer.alloc(ID_BYTES, 0xff);
    const id = idOf('evt', TIME, bytes);
    expect(timeOfId('evt', id)).toEqual(new Date(TIME));
    expect(bytesOfId('evt', id)?.toString('hex').slice(12)).toBe('7fffbfffffffffffffff');
  });

  it('lies at or above the first one of its time and below the first one of the next millisecond', () => {
    const id = idOf('evt', TIME, Buffer.alloc(ID_BYTES, 0xff));
    expect(id >= firstIdAt('evt', TIME)).toBe(true);
    expect(id < firstIdAt('evt', new Date(TIME + 1))).toBe(true);
  });

  it.each([
    [-1, 'msg_00000000000000000000000000'],
    [Infinity, 'msg_7zzzzzzzzz0000000000000000'],
  ])('has a first one of the time %d, too', (time, first) => expect(firstIdAt('msg', time)).toBe(first));

  it.each([
    '',
    'msg_1',
    'acc_01jd0000000000000000000000',
    'msg_zzzzzzzzzzzzzzzzzzzzzzzzzz',
    'msg_\0',
    `${newId('msg')}\n`,
  ])('is not the text %j', (text) => {
    expect(isId('msg', text)).toBe(false);
    expect(timeOfId('msg', text)).toBeNull();
    expect(bytesOfId('msg', text)).toBeNull();
  });
});
