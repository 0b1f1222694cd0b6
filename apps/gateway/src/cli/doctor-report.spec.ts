import { type Finding, ok, problem, skipped, warning } from './doctor-findings';
import { doctorReport } from './doctor-report';

const FINDINGS: Finding[] = [
  ok('settings', 'are complete'),
  problem('database', 'no response within 6.0 s', 'Check that PostgreSQL runs. DATABASE_URL must lead to it.'),
  skipped('replication', 'the database comes first'),
  ok('broker', 'RabbitMQ responds'),
  warning('dead letters', '2 in messaging.dead', 'Repair the cause, then dead-letters send-back.'),
];

describe('doctor report', () => {
  it('starts with a summary and the problems', () => {
    expect(doctorReport(FINDINGS)).toBe(
      [
        '1 problem: database',
        '1 warning: dead letters',
        '2 ok, 1 skipped',
        '',
        'problem  database      no response within 6.0 s',
        '                       Check that PostgreSQL runs. DATABASE_URL must lead to it.',
        'warning  dead letters  2 in messaging.dead',
        '                       Repair the cause, then dead-letters send-back.',
        'skipped  replication   not checked: the database comes first',
        'ok       settings      are complete',
        'ok       broker        RabbitMQ responds',
        '',
      ].join('\n'),
    );
  });

  it('starts with the all-clear when nothing is wrong', () => {
    expect(doctorReport([ok('settings', 'are complete')])).toMatch(/^No problem found\n1 ok\n\nok {7}settings/);
  });

  it('wraps lines to the width of the terminal', () => {
    const lines = doctorReport(FINDINGS, 60).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(lines).toContain('                       Check that PostgreSQL runs.');
  });
});
