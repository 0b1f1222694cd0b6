import { FailureLog } from './failure-log';
import { createLogger } from './logging';

describe('a log of repeated failures', () => {
  let lines: Record<string, unknown>[];
  let log: FailureLog;

  beforeEach(() => {
    lines = [];
    const logger = createLogger('test', 'info', {
      write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
    });
    log = new FailureLog(logger, 'sweep');
  });

  const refused = (): Error => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });

  it('writes one line per kind of failure and one when the work succeeds again', () => {
    for (let turn = 0; turn < 100; turn += 1) log.failed(turn % 2 ? refused() : new Error('Connection terminated'));
    log.succeeded();
    log.succeeded();
    expect(lines.map(({ msg, failures }) => [msg, failures])).toEqual([
      ['sweep.failed', 1],
      ['sweep.failed', 2],
      ['sweep.recovered', 100],
    ]);
  });

  it('writes again when the work fails after it had succeeded', () => {
    log.failed(refused());
    log.succeeded();
    log.failed(refused());
    expect(lines.map(({ msg }) => msg)).toEqual(['sweep.failed', 'sweep.recovered', 'sweep.failed']);
  });

  it('stays bounded when every failure reads differently', () => {
    for (let turn = 0; turn < 1_000; turn += 1) log.failed(new Error(`row ${turn}`));
    expect(lines).toHaveLength(20);
  });
});
