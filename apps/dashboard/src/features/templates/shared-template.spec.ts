import { sharedBy } from './shared-template';

it.each([
  [undefined, ''],
  [0, ''],
  [1, ' 1 other account shares this business and also loses the template.'],
  [3, ' 3 other accounts share this business and also lose the template.'],
])('the delete confirmation names %p other accounts', (otherAccounts, sentence) =>
  expect(sharedBy(otherAccounts)).toBe(sentence),
);
