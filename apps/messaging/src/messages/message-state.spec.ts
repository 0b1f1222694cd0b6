import { REPORTED_STATUSES, type ReportedStatus } from '@switchboard/contracts';
import fc from 'fast-check';
import { advance, isOvertaken, OUTBOUND_STATES, type OutboundState, reportableStatuses } from './message-state';

const status = fc.constantFrom(...REPORTED_STATUSES);
const state = fc.constantFrom(...OUTBOUND_STATES);
/** Callbacks about one message, each with one or more statuses, in any order and with repetitions. */
const callbacks = fc.array(fc.array(status, { minLength: 1, maxLength: 4 }), { maxLength: 12 });

/** Returns the final state and the reported statuses after applying callbacks in sequence. */
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
  ])('moves a message from %s by %s to %s', (before, given, after) => {
    expect(advance(before, [given])).toBe(after);
  });

  it('never goes backwards, in any order and with repetitions', () => {
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

  it('settles every message about which upstream has reported', () => {
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
  it('reports each status at most once, in order unless overtaken', () => {
    fc.assert(
      fc.property(state, callbacks, (start, all) => {
        const { reported, onTime } = applyAll(start, all);
        return new Set(reported).size === reported.length && isAscending(onTime.map(rankOf));
      }),
    );
  });

  it('always reports a new final state', () => {
    fc.assert(
      fc.property(state, callbacks, (start, all) => {
        const { current, onTime } = applyAll(start, all);
        return current === start || current === 'accepted' || onTime.at(-1) === current;
      }),
    );
  });

  it('reports every status of a successful message, in any order', () => {
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

  it('omits a failure that was overtaken', () => {
    expect(reportableStatuses('delivered', ['failed'], ['delivered'])).toEqual([]);
    expect(reportableStatuses('failed', ['sent'], ['failed'])).toEqual(['sent']);
  });

  it('reports nothing for repeated callbacks', () => {
    fc.assert(
      fc.property(state, callbacks, (start, all) => {
        const { current, reported, startedWith } = applyAll(start, all);
        return all.every(
          (statuses) => reportableStatuses(current, statuses, [...startedWith, ...reported]).length === 0,
        );
      }),
    );
  });

  it('sorts statuses of one callback and drops an overtaken failure', () => {
    expect(reportableStatuses('accepted', ['read', 'failed', 'sent', 'delivered', 'sent'], [])).toEqual([
      'sent',
      'delivered',
      'read',
    ]);
    expect(reportableStatuses('accepted', ['failed', 'sent'], [])).toEqual(['sent', 'failed']);
  });
});
