import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { readKept, ROOT } from './support/installation';

const RULES = resolve(ROOT, 'observability/rules');
/** A gateway shows it when it serves TLS, as this installation's does not. */
const NOT_SHOWN_HERE = ['switchboard_tls_certificate_expiry_timestamp_seconds'];

it('every figure that a rule asks for is shown by a service', async () => {
  const asked = figuresOfRules();
  expect(asked.length).toBeGreaterThan(10);
  const shown = await figuresOfServices();
  expect(asked.filter((name) => !shown.has(name))).toEqual(NOT_SHOWN_HERE);
});

/** The names of our own figures in the rules; what a rule records has a colon before its name. */
function figuresOfRules(): string[] {
  const files = readdirSync(RULES).filter((file) => !file.includes('.test.'));
  const expressions = files.flatMap((file) => {
    const { groups } = parse(readFileSync(join(RULES, file), 'utf8')) as { groups: { rules: { expr: string }[] }[] };
    return groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
  });
  const names = expressions.flatMap((text) => text.match(/(?<![:\w])switchboard_\w+/g) ?? []);
  return [...new Set(names.map((name) => name.replace(/_(bucket|count)$/, '')))].sort();
}

async function figuresOfServices(): Promise<Set<string>> {
  const { ports } = readKept<{ ports: Record<string, number> }>('run.json');
  const management = Object.entries(ports).filter(([name]) => name.endsWith(':management'));
  expect(management).toHaveLength(6);
  const texts = await Promise.all(
    management.map(async ([, port]) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
  );
  return new Set(texts.flatMap((text) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)));
}
