import { Typing } from './typing';

describe('a typing indicator', () => {
  it('is shown for 25 seconds, or until the business writes', () => {
    const typing = new Typing();
    typing.begin('1', '919812345678', 0);
    expect([24_999, 25_000].map((now) => typing.isShownTo('919812345678', now))).toEqual([true, false]);
    typing.begin('1', '919812345678', 0);
    typing.end('1', '919812345678');
    expect(typing.isShownTo('919812345678', 1)).toBe(false);
  });
});
