import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { ensurePromtool } from '../tools/infra/promtool.mjs';

const run = promisify(execFile);
const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const RULES = resolve(ROOT, 'observability/rules');
const RULE_FILES = ['recording.yaml', 'alerts.yaml', 'slo.yaml'];
const RUNBOOKS = 'docs/operations/runbooks';

interface Rule {
  alert?: string;
  record?: string;
  expr: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}
interface RuleTest {
  alert_rule_test?: { alertname: string; exp_alerts: object[] }[];
  promql_expr_test?: { expr: string; exp_samples: object[] }[];
}

const read = <Content>(file: string): Content => parse(readFileSync(resolve(RULES, file), 'utf8')) as Content;
const rules = RULE_FILES.flatMap((file) => read<{ groups: { rules: Rule[] }[] }>(file).groups).flatMap(
  (group) => group.rules,
);
const alerts = rules.filter((rule) => rule.alert !== undefined);
const names = alerts.map(({ alert = '' }) => alert).sort();

describe('Prometheus rules', () => {
  let promtool: string;

  beforeAll(async () => {
    promtool = await ensurePromtool({ log: (text) => process.stderr.write(`${text}\n`) });
  });

  it('are valid', async () => {
    await run(promtool, ['check', 'rules', '--lint=all', '--lint-fatal', ...RULE_FILES], { cwd: RULES });
  });

  it('fire only under their conditions', async () => {
    await run(promtool, ['test', 'rules', 'rules.test.yaml'], { cwd: RULES });
  }, 300_000);

  it('have a firing and a silent case per alert', () => {
    const cases = read<{ tests: RuleTest[] }>('rules.test.yaml').tests.flatMap((test) => test.alert_rule_test ?? []);
    const tested = (fires: boolean) => [
      ...new Set(cases.filter(({ exp_alerts }) => exp_alerts.length > 0 === fires).map(({ alertname }) => alertname)),
    ];
    expect(tested(true).sort()).toEqual(names);
    expect(tested(false).sort()).toEqual(names);
  });

  it('have a test case per recorded metric', () => {
    const recorded = rules.flatMap(({ record }) => record ?? []);
    const cases = read<{ tests: RuleTest[] }>('rules.test.yaml').tests.flatMap((test) => test.promql_expr_test ?? []);
    const tested = cases.filter(({ exp_samples }) => exp_samples.length > 0).map(({ expr }) => expr);
    expect(recorded.length).toBeGreaterThan(10);
    expect(recorded.filter((name) => !tested.some((expr) => expr.includes(name)))).toEqual([]);
  });

  it('link one runbook per alert and leave none unused', () => {
    for (const { alert, annotations } of alerts)
      expect(annotations?.['runbook_url']).toBe(
        `https://git.example.com/switchboard/blob/main/${RUNBOOKS}/${alert}.md`,
      );
    expect(readdirSync(resolve(ROOT, RUNBOOKS)).sort()).toEqual(names.map((name) => `${name}.md`));
  });

  it('set a severity and a team from CODEOWNERS', () => {
    const owners = readFileSync(resolve(ROOT, '.github/CODEOWNERS'), 'utf8');
    const teams = new Set([...owners.matchAll(/@switchboard\/(\w+)/g)].map(([, team]) => team));
    for (const { alert, labels } of alerts) {
      expect([alert, labels]).toEqual([
        alert,
        {
          part_of: 'switchboard',
          severity: expect.stringMatching(/^(critical|warning)$/),
          team: expect.any(String),
        },
      ]);
      expect([...teams]).toContain(labels?.['team']);
    }
  });
});
