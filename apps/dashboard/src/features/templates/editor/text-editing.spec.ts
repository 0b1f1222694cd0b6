import { type Edited, insertVariable, toggleMark } from './text-editing';

/** `|` stands for the cursor, or for both ends of what is selected. */
function edited(marked: string): Edited {
  const [before = '', selected = '', after] = marked.split('|');
  if (after === undefined) return { text: before + selected, start: before.length, end: before.length };
  return { text: before + selected + after, start: before.length, end: before.length + selected.length };
}

it.each([
  ['Hi |, your order is here.', 'Hi {{1}}|, your order is here.'],
  ['Hi| your order is here.', 'Hi {{1}}| your order is here.'],
  ['Hi |you, your order is here.', 'Hi {{1}}| you, your order is here.'],
  ['Hi {{1}}, on |.', 'Hi {{1}}, on {{2}}|.'],
  ['Hi {{2}}, on |.', 'Hi {{2}}, on {{1}}|.'],
  ['Hi |you|, welcome.', 'Hi {{1}}|, welcome.'],
  ['Hi {{first_name}}, on |.', 'Hi {{first_name}}, on {{value_1}}|.'],
  ['It comes on |', 'It comes on {{1}}|.'],
  ['It comes on {{1}}|', 'It comes on {{1}} {{2}}|.'],
])('a variable comes where the cursor is: %s', (given, wanted) =>
  expect(insertVariable(edited(given))).toEqual(edited(wanted)),
);

it.each([
  ['Hi |you|.', '*', 'Hi *|you|*.'],
  ['Hi *|you|*.', '*', 'Hi |you|.'],
  ['Hi |.', '```', 'Hi ```|```.'],
])('marks come and go around what is selected: %s', (given, mark, wanted) =>
  expect(toggleMark(edited(given), mark)).toEqual(edited(wanted)),
);
