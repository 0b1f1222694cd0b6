import { type Edited, insertVariable, toggleMark } from './text-editing';

/** `|` marks the cursor, or both ends of the selection. */
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
])('inserts a variable at the cursor: %s', (given, wanted) =>
  expect(insertVariable(edited(given))).toEqual(edited(wanted)),
);

it.each([
  ['Hi |you|.', '*', 'Hi *|you|*.'],
  ['Hi *|you|*.', '*', 'Hi |you|.'],
  ['Hi |.', '```', 'Hi ```|```.'],
])('toggles formatting around the selection: %s', (given, mark, wanted) =>
  expect(toggleMark(edited(given), mark)).toEqual(edited(wanted)),
);
