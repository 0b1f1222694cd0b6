import { printable, printResult } from './output';

it.each([
  ['\u001B]0;title\u0007', '\\u001b]0;title\\u0007'],
  ['\u009B31m', '\\u009b31m'],
  ['a\u202Eb\u2066c', 'a\\u202eb\\u2066c'],
  ['a\rb\u007F', 'a\\u000db\\u007f'],
  ['García 👋 שלום\tx\n', 'García 👋 שלום\tx\n'],
])('shows %j as %j', (stored, shown) => expect(printable(stored)).toBe(shown));

it.each([true, false])('prints stored text on one line (JSON: %s)', (json) => {
  let text = '';
  printResult((part) => (text += part), { users: [{ name: 'a\nb' }], nextCursor: null }, { json });
  expect(text).toContain('a\\nb');
});
