import { isMessageText, isSearchable } from './search-text';

describe('search text', () => {
  it.each([
    ['a', false, false],
    ['+ 9', false, false],
    ['e\u0301', false, false],
    ['a\u200b', false, false],
    ['نَ', false, false],
    ['한국', true, true],
    ['李明', true, true],
    ['मे', true, true],
    ['x'.repeat(101), true, false],
    ['x'.repeat(257), false, false],
  ])('accepts %j: %s, as message text: %s', (text, isAny, isText) => {
    expect([isSearchable(text), isMessageText(text)]).toEqual([isAny, isText]);
  });
});
