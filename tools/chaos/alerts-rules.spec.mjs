// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../lib/home.mjs';
import { shortened } from './alerts-rules.mjs';

const rulesOf = (/** @type {string} */ text) =>
  parse(text).groups.flatMap((/** @type {{ rules: object[] }} */ { rules }) => rules);

test('shortened divides every duration by thirty and changes nothing else', () => {
  const text = `groups:
  - name: some
    interval: 5m
    rules:
      - {record: a, expr: 'rate(x[5m]) + rate(y[6h])'}
      - {alert: b, expr: 'a > 900', for: 1h, labels: {severity: critical}}`;
  expect(parse(shortened(text)).groups[0]).toEqual({
    name: 'some',
    interval: '10s',
    rules: [
      { record: 'a', expr: 'rate(x[10s]) + rate(y[720s])' },
      { alert: 'b', expr: 'a > 900', for: '120s', labels: { severity: 'critical' } },
    ],
  });
});

test('shortened rejects rules without a known threshold', () => {
  const text = "groups: [{name: some, rules: [{alert: LoopStalled, expr: 'x > 12', for: 5m}]}]";
  expect(() => shortened(text)).toThrow('LoopStalled has no bound');
});

test.each(['recording.yaml', 'alerts.yaml', 'slo.yaml'])('shortened accepts the rules of %s', (file) => {
  const text = readFileSync(join(ROOT, 'observability/rules', file), 'utf8');
  const before = rulesOf(text);
  const after = rulesOf(shortened(text));
  expect(after).toHaveLength(before.length);
  expect(shortened(text)).not.toMatch(/\[\d+[mhd]\]|for: \d+[mhd]/);
});
