// @ts-check
import { beforeDump, sentAgain, withoutUnheld } from './compare-restore.mjs';

const answer = (/** @type {number} */ startedAt, /** @type {number} */ durationMs, id = 'msg_1') =>
  /** @type {import('./mixed-load.mjs').LoadAnswer} */ ({ kind: 'send', n: 1, status: 200, id, startedAt, durationMs });

test('a dump holds what was answered before it began; what was under way may be in it or not', () => {
  const [before, underWay, after] = [answer(0, 100), answer(50, 100), answer(120, 5)];
  expect(beforeDump([before, underWay, after], 100)).toEqual({ kept: [before], after: [underWay, after] });
});

test('what a dump holds as open may be sent again, anything else may not', () => {
  const open = { messages: ['msg_1'], phones: ['919800000001'] };
  const doubled = ['msg_1', 'msg_2', 'job to 919800000001 was answered 201, and is there 2 times'];
  expect(sentAgain(doubled, open)).toEqual({ allowed: [doubled[0], doubled[2]], doubled: ['msg_2'] });
});

test('sends after a dump, and statuses that came after it, are no fault; a send before it is', () => {
  const compared = {
    lost: ['no webhook told that wamid.1 is accepted', 'no webhook told that wamid.2 is read', 'msg_3'],
    unexpected: ['upstream has msg_9, which we do not know', 'upstream has msg_1, which we do not know'],
  };
  expect(withoutUnheld(compared, [answer(0, 1)])).toEqual({
    lost: ['no webhook told that wamid.2 is read', 'msg_3'],
    unexpected: ['upstream has msg_1, which we do not know'],
  });
});
