import { messageIdOf, positionOf } from './message-ids';

describe('recipient message id', () => {
  it.each([0, 1, 499_999, 2 ** 24 - 1])('contains position %d', (position) => {
    const id = messageIdOf(position, Date.parse('2026-03-02T10:15:00Z'));
    expect(id).toMatch(/^msg_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    expect(positionOf(id)).toBe(position);
  });

  it('is unique and sorts by time', () => {
    expect(messageIdOf(7, 1_000)).not.toBe(messageIdOf(7, 1_000));
    expect(messageIdOf(9, 1_000) < messageIdOf(3, 1_001)).toBe(true);
  });

  it('rejects a position beyond 24 bits', () => expect(() => messageIdOf(2 ** 24, 0)).toThrow(RangeError));

  it('has no position if it is an arbitrary text', () => expect(positionOf('msg_\u0000')).toBeNull());
});
