// @ts-check
import { dividedAt, sentAgain, stillThere, withoutUnheld } from './compare-restore.mjs';

const answer = (/** @type {number} */ startedAt, /** @type {number} */ durationMs, id = 'msg_1') =>
  /** @type {import('./mixed-load.mjs').LoadAnswer} */ ({ kind: 'send', n: 1, status: 200, id, startedAt, durationMs });

test('dividedAt splits requests at the recovery point', () => {
  const [before, underWay, after] = [answer(0, 99), answer(50, 100), answer(120, 5)];
  expect(dividedAt([before, underWay, after], 100)).toEqual({ before: [before], underWay: [underWay], after: [after] });
});

test('dividedAt counts a request in the same millisecond as in flight', () => {
  const [ends, starts] = [answer(0, 100), answer(100, 5)];
  expect(dividedAt([ends, starts], 100)).toEqual({ before: [], underWay: [ends, starts], after: [] });
});

test('stillThere reports sends, codes and jobs from after the recovery point', () => {
  const code = { ...answer(0, 1), kind: /** @type {const} */ ('code'), id: undefined, n: 2, to: ['919800000001'] };
  const read = { ...answer(0, 1), kind: /** @type {const} */ ('read'), id: undefined, n: 3 };
  const after = [answer(0, 1), answer(0, 1, 'msg_2'), code, { ...code, to: ['919800000002'] }, read];
  expect(stillThere(after, { messages: ['msg_1'], phones: ['919800000001'] })).toEqual(['send 1', 'code 2']);
});

test('sentAgain allows only work that is open in the dump', () => {
  const open = { messages: ['msg_1'], phones: ['919800000001'] };
  const doubled = ['msg_1', 'msg_2', 'job to 919800000001 was answered 201, and is there 2 times'];
  expect(sentAgain(doubled, open)).toEqual({ allowed: [doubled[0], doubled[2]], doubled: ['msg_2'] });
});

test('withoutUnheld ignores only sends and statuses after the dump', () => {
  const compared = {
    lost: ['no webhook told that wamid.1 is accepted', 'no webhook told that wamid.2 is read', 'msg_3'],
    unexpected: ['upstream has msg_9, which we do not know', 'upstream has msg_1, which we do not know'],
  };
  expect(withoutUnheld(compared, [answer(0, 1)])).toEqual({
    lost: ['no webhook told that wamid.2 is read', 'msg_3'],
    unexpected: ['upstream has msg_1, which we do not know'],
  });
});
