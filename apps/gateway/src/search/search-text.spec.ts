import { foldText, namePartIn } from './search-text';

it.each([
  ['Müller', 'muller'],
  ['José  García', 'josegarcia'],
  ['ΚΎΜΑ', 'κυμα'],
  ['billing server', 'billingserver'],
  ['한국', '한국'],
  ['नमस्ते', 'नमस्ते'],
])('folds %j to %j', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

it.each([
  ['Order update', 'orderupdate'],
  ['order_up', 'orderup'],
  ['Été-2026', 'ete2026'],
  ['नमस्ते 12', undefined],
  ['_a', undefined],
  ['!?', undefined],
])('finds the part of a template name in %j', (text, part) => {
  expect(namePartIn(text)).toBe(part);
});
