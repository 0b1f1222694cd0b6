import { bytesOfId, firstIdAt, ID_BYTES, idOf, isId, newId, timeOfId } from './ids';

const TIME = Date.parse('2026-03-02T10:15:04.120Z');

describe('ids', () => {
  it('have a prefix and a timestamp in milliseconds', () => {
    const before = Date.now();
    const id = newId('job');
    expect(isId('job', id)).toBe(true);
    expect(isId('msg', id)).toBe(false);
    expect(Number(timeOfId('job', id))).toBeGreaterThanOrEqual(before);
    expect(Number(timeOfId('job', id))).toBeLessThanOrEqual(Date.now());
  });

  it('contain the given bytes after the timestamp', () => {
    const bytes = Buffer.alloc(ID_BYTES, 0xff);
    const id = idOf('evt', TIME, bytes);
    expect(timeOfId('evt', id)).toEqual(new Date(TIME));
    expect(bytesOfId('evt', id)?.toString('hex').slice(12)).toBe('7fffbfffffffffffffff');
  });

  it('sort between the first ids of adjacent milliseconds', () => {
    const id = idOf('evt', TIME, Buffer.alloc(ID_BYTES, 0xff));
    expect(id >= firstIdAt('evt', TIME)).toBe(true);
    expect(id < firstIdAt('evt', new Date(TIME + 1))).toBe(true);
  });

  it.each([
    [-1, 'msg_00000000000000000000000000'],
    [Infinity, 'msg_7zzzzzzzzz0000000000000000'],
  ])('clamp the time %d to the supported range', (time, first) => expect(firstIdAt('msg', time)).toBe(first));

  it.each([
    '',
    'msg_1',
    'acc_01jd0000000000000000000000',
    'msg_zzzzzzzzzzzzzzzzzzzzzzzzzz',
    'msg_\0',
    `${newId('msg')}\n`,
  ])('do not match %j', (text) => {
    expect(isId('msg', text)).toBe(false);
    expect(timeOfId('msg', text)).toBeNull();
    expect(bytesOfId('msg', text)).toBeNull();
  });
});
