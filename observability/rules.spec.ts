import { execFile, execFileSync } from 'node:child_process';
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
  expr: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}
interface RuleTest {
  alert_rule_test: { alertname: string; exp_alerts: object[] }[];
}

const read = <Content>(file: string): Content => parse(readFileSync(resolve(RULES, file), 'utf8')) as Content;
const rules = RULE_FILES.flatMap((file) => read<{ groups: { rules: Rule[] }[] }>(file).groups).flatMap(
  (group) => group.rules,
);
const alerts = rules.filter((rule) => rule.alert !== undefined);
const names = alerts.map(({ alert = '' }) => alert).sort();

describe('The rules for Prometheus', () => {
  let promtool: string;

  beforeAll(async () => {
    promtool = await ensurePromtool({ log: (text) => process.stderr.write(`${text}\n`) });
  });

  it('are valid', async () => {
    await run(promtool, ['check', 'rules', '--lint=all', '--lint-fatal', ...RULE_FILES], { cwd: RULES });
  });

  it('fire when they should, and only then', async () => {
    await run(promtool, ['test', 'rules', 'rules.test.yaml'], { cwd: RULES });
  });

  it('have, for each alert, a case in which it fires and one in which it stays silent', () => {
    const cases = read<{ tests: RuleTest[] }>('rules.test.yaml').tests.flatMap((test) => test.alert_rule_test);
    const tested = (fires: boolean) => [
      ...new Set(cases.filter(({ exp_alerts }) => exp_alerts.length > 0 === fires).map(({ alertname }) => alertname)),
    ];
    expect(tested(true).sort()).toEqual(names);
    expect(tested(false).sort()).toEqual(names);
  });

  it('name a runbook for each alert, and no runbook is left over', () => {
    for (const { alert, annotations } of alerts) expect(annotations?.['runbook']).toBe(`${RUNBOOKS}/${alert}.md`);
    expect(readdirSync(resolve(ROOT, RUNBOOKS)).sort()).toEqual(names.map((name) => `${name}.md`));
  });

  it('give each alert a severity', () => {
    for (const { alert, labels } of alerts)
      expect([alert, labels]).toEqual([
        alert,
        { part_of: 'switchboard', severity: expect.stringMatching(/^(critical|warning)$/) },
      ]);
  });

  it('know which loops turn seldom', () => {
    const stalled = alerts.find(({ alert }) => alert === 'LoopStalled')?.expr ?? '';
    const [, listed = ''] = /loop=~"([^"]+)"/.exec(stalled) ?? [];
    expect(stalled).toContain(`loop!~"${listed}"`);
    expect(listed.replaceAll('\\\\', '').split('|').sort()).toEqual(seldomLoops());
  });
});

/** The names of all loops that rest longer than ten minutes, as the sources have them. */
function seldomLoops(): string[] {
  const files = execFileSync('git', ['grep', '-l', '@Every(', '--', 'apps/*.ts', 'libs/*.ts'], { cwd: ROOT });
  const loops = files
    .toString()
    .trim()
    .split('\n')
    .flatMap((file) => loopsOf(readFileSync(resolve(ROOT, file), 'utf8')));
  expect(loops.length).toBeGreaterThan(30);
  return [...new Set(loops.filter(({ everyMs }) => everyMs > 600_000).map(({ name }) => name))].sort();
}

/** A pause that stands in another file is one of those that are short. */
function loopsOf(source: string): { name: string; everyMs: number }[] {
  return [...source.matchAll(/@Every\(\{\s*name: '([^']+)',\s*(?:everyMs: (\w+))?/g)].map(([, name = '', constant]) => {
    const [, value = '0'] = new RegExp(`const ${constant} = ([\\d_]+);`).exec(source) ?? [];
    return { name, everyMs: Number(value.replaceAll('_', '')) };
  });
}
