import { FailureLog } from './failure-log';
import { createLogger } from './logging';

describe('FailureLog', () => {
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

  it('logs each kind of failure once, and the recovery once', () => {
    for (let turn = 0; turn < 100; turn += 1) log.failed(turn % 2 ? refused() : new Error('Connection terminated'));
    log.succeeded();
    log.succeeded();
    expect(lines.map(({ msg, failures }) => [msg, failures])).toEqual([
      ['sweep.failed', 1],
      ['sweep.failed', 2],
      ['sweep.recovered', 100],
    ]);
  });

  it('logs again when the work fails after a recovery', () => {
    log.failed(refused());
    log.succeeded();
    log.failed(refused());
    expect(lines.map(({ msg }) => msg)).toEqual(['sweep.failed', 'sweep.recovered', 'sweep.failed']);
  });

  it('limits the number of lines when every failure is different', () => {
    for (let turn = 0; turn < 1_000; turn += 1) log.failed(new Error(`row ${turn}`));
    expect(lines).toHaveLength(20);
  });
});
