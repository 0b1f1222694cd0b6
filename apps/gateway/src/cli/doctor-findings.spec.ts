import type { ServiceQueues } from '@switchboard/broker';
import {
  judgeDatabase,
  judgeNumbers,
  judgePublishing,
  judgeQueues,
  judgeSecrets,
  judgeVersions,
} from './doctor-findings';

const RUNNING: ServiceQueues = {
  service: 'messaging',
  queues: 3,
  missing: [],
  unavailable: [],
  withoutConsumer: [],
  waiting: 2,
  deadLetters: [],
};

describe('doctor', () => {
  it('reports ok for running services', () => {
    expect(judgeQueues([RUNNING]).map(({ state }) => state)).toEqual(['ok', 'ok']);
    expect(judgeNumbers([], 3)).toMatchObject([{ state: 'ok', finding: 'none is stopped (checked 3)' }]);
  });

  it.each<[Partial<ServiceQueues>, string, string]>([
    [{ unavailable: ['a'], missing: ['b'] }, 'problem', 'RabbitMQ gives no state of 1 queues: a'],
    [{ missing: ['a', 'b'] }, 'problem', 'queues are missing: a, b'],
    [{ withoutConsumer: ['a', 'b', 'c'] }, 'problem', 'no process of it takes messages'],
    [{ withoutConsumer: ['a'] }, 'problem', 'nobody takes messages from a'],
    [{ waiting: 1_001 }, 'warning', '1001 messages wait'],
  ])('reports %j: %s', (state, kind, finding) => {
    expect(judgeQueues([{ ...RUNNING, ...state }])[0]).toMatchObject({ check: 'messaging', state: kind, finding });
  });

  it('names some queues with dead letters and counts the rest', () => {
    const deadLetters = Array.from({ length: 7 }, (_, index) => ({ queue: `q${index}`, count: 2 }));
    expect(judgeQueues([{ ...RUNNING, deadLetters }])[1]).toMatchObject({
      state: 'warning',
      finding: '14 in q0, q1, q2, q3, q4 and 2 more',
    });
  });

  it('reports scarce connections and pending migrations', () => {
    const facts = { version: '17.2', used: 81, most: 100, pendingMigrations: ['AddUsers1'] };
    expect(judgeDatabase(facts)).toMatchObject([
      { check: 'database', state: 'ok' },
      { check: 'connections', state: 'warning', finding: '81 of 100 connections are used' },
      { check: 'migrations', state: 'problem', finding: 'not run: AddUsers1' },
    ]);
    expect(judgeDatabase({ ...facts, used: 80, pendingMigrations: [] }).every(({ state }) => state === 'ok')).toBe(
      true,
    );
  });

  it('reports why RabbitMQ blocks publishers', () => {
    expect(judgePublishing(undefined)).toMatchObject({ state: 'ok' });
    expect(judgePublishing('low on disk')).toMatchObject({
      check: 'publishing',
      state: 'problem',
      finding: 'RabbitMQ blocks all publishers: low on disk',
      advice: expect.stringContaining('runbooks/BrokerAlarm.md') as string,
    });
  });

  it('warns when not all numbers were checked in time', () => {
    expect(judgeNumbers([], 3, { isPartial: true })).toMatchObject([
      { state: 'warning', finding: 'none is stopped (checked the first 3, then the time was over)' },
    ]);
  });

  it('reports the number of undecryptable secrets', () => {
    expect(judgeSecrets({ unknown: 0, all: 7 })).toMatchObject([{ check: 'secrets', state: 'ok' }]);
    expect(judgeSecrets({ unknown: 6, all: 7 })).toMatchObject([
      { state: 'problem', finding: '6 of 7 cannot be opened with the keys that are set' },
    ]);
  });

  it('reports a stopped number with its account and reason', () => {
    const sick = [{ accountId: 'acc_1', phoneNumber: '15550001', status: 'STOPPED', stoppedReason: '190: expired' }];
    expect(judgeNumbers(sick, 4)[0]?.finding).toBe(
      '1 cannot send (checked 4): 15550001 of acc_1 (STOPPED): 190: expired',
    );
  });

  it.each([
    ['v24.0', '2026-11-28', 'ok', 'v24.0, which ends on 2028-02-18'],
    ['v26.0', '2026-11-28', 'ok', 'v26.0, whose end is not announced'],
    ['v24.0', '2027-11-20', 'warning', 'v24.0 ends on 2028-02-18, in 90 days'],
    ['v24.0', '2028-02-18', 'problem', 'v24.0 ended on 2028-02-18; the platform treats its calls as v25.0'],
    ['v27.0', '2026-11-28', 'warning', 'v27.0 is not in the table of versions, which was read on 2026-11-28'],
    ['v23.0', '2026-11-28', 'warning', 'v23.0 is not one of the tested versions v24.0, v25.0, v26.0'],
  ])("judges the platform's version %s on %s: %s", (version, day, state, finding) => {
    const [found] = judgeVersions({ messaging: version, templates: version }, new Date(`${day}T00:00:00Z`));
    expect(found).toMatchObject({ check: 'platform version', state, finding });
    expect(found?.advice).toContain(state === 'ok' ? '' : 'platform-version.md');
  });

  it('warns if services use different platform versions', () => {
    expect(judgeVersions({ messaging: 'v24.0', templates: 'v25.0' }, new Date())).toMatchObject([
      { state: 'warning', finding: 'messaging uses v24.0, templates uses v25.0' },
    ]);
  });
});
