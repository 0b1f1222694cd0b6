import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { readKept, ROOT } from './support/installation';

const RULES = resolve(ROOT, 'observability/rules');
const DASHBOARDS = resolve(ROOT, 'observability/dashboards');
/** Metrics exported only by a gateway that serves TLS, unlike this installation's. */
const NOT_SHOWN_HERE = ['switchboard_tls_certificate_expiry_timestamp_seconds'];
/**
 * Matches the metrics of the services and of Node's client library, but not those of the database and broker exporters.
 */
const OURS = /(?<![:\w])(?:switchboard|process|nodejs)_\w+/g;

it('exports every metric that a rule or panel queries', async () => {
  const ofRules = metricsOf(expressionsOfRules());
  const ofPanels = metricsOf(expressionsOfPanels());
  expect(ofRules.length).toBeGreaterThan(10);
  expect(ofPanels.length).toBeGreaterThan(30);
  const shown = await figuresOfServices();
  expect([...new Set([...ofRules, ...ofPanels])].filter((name) => !shown.has(name))).toEqual(NOT_SHOWN_HERE);
});

it('records every metric that a panel reads from the rules', () => {
  const recorded = new Set(rules().flatMap(({ record }) => record ?? []));
  const asked = expressionsOfPanels().flatMap((text) => text.match(/\bnamespace\w*:\w+:\w+/g) ?? []);
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter((name) => !recorded.has(name))).toEqual([]);
});

function rules(): { record?: string; expr: string }[] {
  const files = readdirSync(RULES).filter((file) => !file.includes('.test.'));
  return files.flatMap((file) => {
    const { groups } = parse(readFileSync(join(RULES, file), 'utf8')) as {
      groups: { rules: { record?: string; expr: string }[] }[];
    };
    return groups.flatMap((group) => group.rules);
  });
}

function expressionsOfRules(): string[] {
  return rules().map(({ expr }) => expr);
}

function expressionsOfPanels(): string[] {
  const files = readdirSync(DASHBOARDS).filter((file) => file.endsWith('.json'));
  return files.flatMap((file) => {
    const { panels } = JSON.parse(readFileSync(join(DASHBOARDS, file), 'utf8')) as {
      panels: { targets?: { expr: string }[] }[];
    };
    return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  });
}

/** Returns the names of the exported metrics. Names of recorded metrics contain a colon. */
function metricsOf(expressions: readonly string[]): string[] {
  const names = expressions.flatMap((text) => text.match(OURS) ?? []);
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
