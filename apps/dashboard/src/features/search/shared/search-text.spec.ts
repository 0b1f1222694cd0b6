import { isMessageText, isSearchable } from './search-text';

describe('search text', () => {
  it.each([
    ['a', false, false],
    ['+ 9', false, false],
    ['李明', true, true],
    ['x'.repeat(101), true, false],
    ['x'.repeat(257), false, false],
  ])('accepts %j: %s, as message text: %s', (text, isAny, isText) => {
    expect([isSearchable(text), isMessageText(text)]).toEqual([isAny, isText]);
  });
});
