import { sharedBy } from './shared-template';

it.each([
  [undefined, ''],
  [0, ''],
  [1, ' 1 other account shares this business and loses the template, too.'],
  [3, ' 3 other accounts share this business and lose the template, too.'],
])('the delete confirmation names %p other accounts', (otherAccounts, sentence) =>
  expect(sharedBy(otherAccounts)).toBe(sentence),
);
