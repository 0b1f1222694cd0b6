import { REPORTED_STATUSES, type ReportedStatus } from '@switchboard/contracts';
import fc from 'fast-check';
import { advance, isOvertaken, OUTBOUND_STATES, type OutboundState, reportableStatuses } from './message-state';

const status = fc.constantFrom(...REPORTED_STATUSES);
const state = fc.constantFrom(...OUTBOUND_STATES);
/** Callbacks of one message, each with one or more statuses, in any order and repeated at will. */
const callbacks = fc.array(fc.array(status, { minLength: 1, maxLength: 4 }), { maxLength: 12 });

/** What applying callbacks one after another leads to and reports. */
function applyAll(start: OutboundState, all: readonly (readonly ReportedStatus[])[]) {
  const reported: ReportedStatus[] = [];
  const onTime: ReportedStatus[] = [];
  const startedWith = REPORTED_STATUSES.filter((each) => each === start);
  const visited: OutboundState[] = [start];
  let current = start;
  for (const statuses of all) {
    const before = current;
    const news = reportableStatuses(current, statuses, [...startedWith, ...reported]);
    reported.push(...news);
    onTime.push(...news.filter((each) => !isOvertaken(before, each)));
    current = advance(current, statuses);
    visited.push(current);
  }
  return { current, reported, onTime, startedWith, visited };
}

const isAscending = (ranks: number[]): boolean =>
  ranks.every((rank, index) => index === 0 || rank >= (ranks[index - 1] ?? 0));
const rankOf = (one: OutboundState): number => OUTBOUND_STATES.indexOf(one);

describe('advance', () => {
  it.each<[OutboundState, ReportedStatus, OutboundState]>([
    ['sending', 'sent', 'sent'],
    ['unknown', 'delivered', 'delivered'],
    ['sending', 'failed', 'failed'],
    ['accepted', 'read', 'read'],
    ['sent', 'failed', 'failed'],
    ['failed', 'sent', 'failed'],
    ['failed', 'delivered', 'delivered'],
    ['failed', 'read', 'read'],
    ['delivered', 'failed', 'delivered'],
    ['read', 'failed', 'read'],
    ['read', 'delivered', 'read'],
    ['delivered', 'sent', 'delivered'],
  ])('takes a message from %s by %s to %s', (before, given, after) => {
    expect(advance(before, [given])).toBe(after);
  });

  it('never goes backwards, however callbacks are shuffled and repeated', () => {
    fc.assert(fc.property(state, callbacks, (start, all) => isAscending(applyAll(start, all).visited.map(rankOf))));
  });

  it('ends in the same state in every order', () => {
    const shuffled = callbacks.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(
        state,
        shuffled,
        (start, [all, other]) => applyAll(start, all).current === applyAll(start, other).current,
      ),
    );
  });

  it('leaves no message unsettled that the upstream platform has reported on', () => {
    fc.assert(
      fc.property(
        state,
        fc.array(status, { minLength: 1 }),
        (start, statuses) => !['sending', 'unknown'].includes(advance(start, statuses)),
      ),
    );
  });
});

describe('reportableStatuses', () => {
  it('reports each status at most once, and those that were not overtaken in the order of states', () => {
    fc.assert(
      fc.property(state, callbacks, (start, all) => {
        const { reported, onTime } = applyAll(start, all);
        return new Set(reported).size === reported.length && isAscending(onTime.map(rankOf));
      }),
    );
  });

  it('always reports the state a message ends in, when that is news', () => {
    fc.assert(
      fc.property(state, callbacks, (start, all) => {
        const { current, onTime } = applyAll(start, all);
        return current === start || current === 'accepted' || onTime.at(-1) === current;
      }),
    );
  });

  it('reports every status of a message that did not fail, in whichever order they came', () => {
    const statuses = fc.shuffledSubarray(['sent', 'delivered', 'read'] as const, { minLength: 1 });
    fc.assert(
      fc.property(statuses, (all) => {
        const { reported } = applyAll(
          'accepted',
          all.map((each) => [each]),
        );
        return reported.join() === all.join();
      }),
    );
  });

  it('does not report a failure that was overtaken', () => {
    expect(reportableStatuses('delivered', ['failed'], ['delivered'])).toEqual([]);
    expect(reportableStatuses('failed', ['sent'], ['failed'])).toEqual(['sent']);
  });

  it('reports nothing for callbacks that were applied before', () => {
    fc.assert(
      fc.property(state, callbacks, (start, all) => {
        const { current, reported, startedWith } = applyAll(start, all);
        return all.every(
          (statuses) => reportableStatuses(current, statuses, [...startedWith, ...reported]).length === 0,
        );
      }),
    );
  });

  it('puts statuses of one callback in order and drops a failure that is overtaken', () => {
    expect(reportableStatuses('accepted', ['read', 'failed', 'sent', 'delivered', 'sent'], [])).toEqual([
      'sent',
      'delivered',
      'read',
    ]);
    expect(reportableStatuses('accepted', ['failed', 'sent'], [])).toEqual(['sent', 'failed']);
  });
});
