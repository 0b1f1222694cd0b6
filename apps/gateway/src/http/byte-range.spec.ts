import { rangeOf } from './byte-range';

describe('Range header', () => {
  it.each([
    [undefined, 'whole'],
    ['', 'whole'],
    ['bytes=-', 'whole'],
    ['items=0-1', 'whole'],
    ['bytes=0-1,4-5', 'whole'],
    ['bytes=5-2', 'whole'],
    ['bytes=a-b', 'whole'],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=0-9', { start: 0, end: 9 }],
    ['bytes=3-5', { start: 3, end: 5 }],
    ['bytes=8-', { start: 8, end: 9 }],
    ['bytes=8-99', { start: 8, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['bytes=10-', 'none'],
    ['bytes=10-11', 'none'],
    ['bytes=-0', 'none'],
  ])('reads %j of a 10-byte file as %j', (header, expected) => {
    expect(rangeOf(header, 10)).toEqual(expected);
  });

  it('selects nothing in an empty file', () => {
    expect(rangeOf('bytes=0-0', 0)).toBe('none');
    expect(rangeOf(undefined, 0)).toBe('whole');
  });
});
