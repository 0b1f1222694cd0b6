import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { ensurePromtool } from '../tools/infra/promtool.mjs';
import { dashboards } from './dashboards/source';

const run = promisify(execFile);
const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const WIDTH = 24;

interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}
interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  gridPos: Place;
  targets?: { expr: string; legendFormat: string; refId: string }[];
  fieldConfig?: { defaults: { unit?: string; thresholds?: { steps: unknown[] } } };
  links?: { url: string }[];
}
interface Board {
  uid: string;
  title: string;
  description: string;
  tags: string[];
  panels: Panel[];
  templating: { list: { name: string }[] };
}

// Serialize the dashboards in the form that Grafana loads.
const boards = JSON.parse(JSON.stringify(Object.values(dashboards))) as Board[];
const panels = boards.flatMap(({ uid, panels: all }) => all.map((panel) => ({ ...panel, of: uid })));
const shown = panels.filter(({ type }) => type !== 'row');
const nameOf = ({ of, title }: { of: string; title: string }): string => `${of}: ${title}`;

describe('Grafana dashboards', () => {
  it('have a unique uid, title and description', () => {
    expect(boards.length).toBeGreaterThanOrEqual(7);
    for (const part of ['uid', 'title', 'description'] as const)
      expect(new Set(boards.map((board) => board[part])).size).toBe(boards.length);
    for (const { tags, templating } of boards) {
      expect(tags).toEqual(['switchboard']);
      expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'namespace', 'service', 'runbooks']);
    }
  });

  it('give each panel a description, a unit, thresholds and a query', () => {
    const incomplete = shown.filter(
      ({ description, fieldConfig, targets = [] }) =>
        !description ||
        !fieldConfig?.defaults.unit ||
        !fieldConfig.defaults.thresholds?.steps.length ||
        !targets.length,
    );
    expect(incomplete.map(nameOf)).toEqual([]);
    expect(shown.length).toBeGreaterThan(50);
    for (const { uid, panels: all } of boards)
      expect([uid, new Set(all.map(({ id }) => id)).size]).toEqual([uid, all.length]);
  });

  it('fill the grid without gaps or overlaps', () => {
    for (const { uid, panels: all } of boards) {
      const cells = all.flatMap(({ gridPos }) => cellsOf(gridPos));
      const height = Math.max(...all.map(({ gridPos }) => gridPos.y + gridPos.h));
      expect([uid, new Set(cells).size, cells.length]).toEqual([uid, WIDTH * height, WIDTH * height]);
    }
  });

  it('link existing runbooks', () => {
    const links = shown.flatMap(({ links: of = [] }) => of.map(({ url }) => url));
    expect(links.length).toBeGreaterThan(20);
    for (const url of links) {
      expect(url).toMatch(/^\$\{runbooks\}\/\w+\.md$/);
      expect([url, existsSync(resolve(ROOT, 'docs/operations/runbooks', url.replace('${runbooks}/', '')))]).toEqual([
        url,
        true,
      ]);
    }
  });

  it('query only the selected installations', () => {
    const asked = shown.flatMap((panel) => (panel.targets ?? []).map(({ expr }) => [nameOf(panel), expr] as const));
    const elsewhere = asked.filter(([, expr]) =>
      [...expr.matchAll(/\{([^}]*)\}/g)].some(([, selector = '']) => !selector.includes('namespace=~"$namespace"')),
    );
    expect(elsewhere).toEqual([]);
  });

  it('use expressions that Prometheus parses', async () => {
    const promtool = await ensurePromtool({ log: (text) => process.stderr.write(`${text}\n`) });
    const folder = mkdtempSync(join(tmpdir(), 'switchboard-panels-'));
    try {
      const rules = shown
        .flatMap(({ targets = [] }) => targets)
        .map(({ expr }, index) => ({
          record: `panel:${index}`.replace(/\d+/, (digits) => `n${digits}`),
          expr: expr.replaceAll('$__rate_interval', '5m'),
        }));
      const file = join(folder, 'panels.yaml');
      writeFileSync(file, stringify({ groups: [{ name: 'panels', rules }] }));
      const { stdout } = await run(promtool, ['check', 'rules', file]);
      expect(stdout).toContain(`${rules.length} rules found`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** Returns the cells of Grafana's grid that a panel covers. */
function cellsOf({ x, y, w, h }: Place): string[] {
  return Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`);
}
