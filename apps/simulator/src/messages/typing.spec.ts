import { Typing } from './typing';

describe('typing indicator', () => {
  it('is shown for 25 seconds or until the next message', () => {
    const typing = new Typing();
    typing.begin('1', '919812345678', 0);
    expect([24_999, 25_000].map((now) => typing.isShownTo('919812345678', now))).toEqual([true, false]);
    typing.begin('1', '919812345678', 0);
    typing.end('1', '919812345678');
    expect(typing.isShownTo('919812345678', 1)).toBe(false);
  });
});
