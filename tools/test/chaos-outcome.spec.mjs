// @ts-check
import { outcomeOf } from '../lib/chaos-run.mjs';

const result = (/** @type {string} */ name, /** @type {boolean} */ isKept) => ({
  name,
  isKept,
  seconds: 1,
  seed: 7,
  output: `${name} --seed 7\nfigures of ${name}`,
});

test('counts tests that passed', () => {
  expect(outcomeOf({ results: [result('send', true), result('away', true)] }, 0, '')).toEqual({
    passed: 2,
    failed: 0,
    details: '',
  });
});

test('counts a failed test and shows its results and seed', () => {
  const { passed, failed, details } = outcomeOf({ results: [result('send', true), result('away', false)] }, 1, '');
  expect([passed, failed]).toEqual([1, 1]);
  expect(details).toBe('away --seed 7\nfigures of away');
});

test('fails when the run crashed, hung or ran nothing', () => {
  expect(outcomeOf(undefined, 124, 'still waiting')).toMatchObject({
    passed: 0,
    failed: 1,
    details: expect.stringContaining('still waiting'),
  });
  expect(outcomeOf({ results: [] }, 0, '')).toMatchObject({ failed: 1 });
  expect(outcomeOf({ results: [result('send', true)] }, 1, 'stop failed')).toMatchObject({
    passed: 1,
    failed: 1,
    details: expect.stringContaining('stop failed'),
  });
});
