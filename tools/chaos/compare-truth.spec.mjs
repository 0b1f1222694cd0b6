// @ts-check
import { compareTruth, countAnswers, untried } from './compare-truth.mjs';

const told = (/** @type {number} */ status, /** @type {number} */ effects) => ({ scenario: 'send', status, effects });
const NOTHING = { lost: [], doubled: [], untrue: [], unexpected: [] };

test.each([
  [200, 1],
  [201, 1],
  [503, 0],
  [504, 0],
  [504, 1],
  [0, 0],
  [0, 1],
])('compareTruth accepts status %i with %i effects', (status, effects) => {
  expect(compareTruth([told(status, effects)])).toEqual(NOTHING);
});

test.each([
  ['lost', 200, 0],
  ['untrue', 503, 1],
  ['doubled', 200, 2],
  ['doubled', 504, 2],
  ['unexpected', 500, 0],
  ['unexpected', 400, 0],
])('compareTruth reports as %s: status %i with %i effects', (kind, status, effects) => {
  expect(compareTruth([told(status, effects)])).toEqual({
    ...NOTHING,
    [kind]: [`send was answered ${status}, and is there ${effects} times`],
  });
});

test('countAnswers counts successful, rejected and unknown responses', () => {
  expect(countAnswers([told(200, 1), told(201, 1), told(503, 0), told(504, 1), told(0, 0)])).toBe(
    '2 good, 1 refused, 2 unknown (1 done)',
  );
});

test('untried reports commands without scenarios and unknown names', () => {
  expect(untried(['a.send.v1', 'b.new.v1', 'c.reseal.v1'], ['a.send.v1', 'd.gone.v1'], ['c.reseal.v1'])).toEqual([
    'b.new.v1',
    'd.gone.v1',
  ]);
});
