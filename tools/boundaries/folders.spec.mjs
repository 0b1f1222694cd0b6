// @ts-check
// The folders of an app import each other in one direction: what depends on what can be read from the folders alone.
import { execSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const root = join(import.meta.dirname, '../..');
const IMPORT = /^(?:import|export)\s[\s\S]*?\sfrom '(\.[^']+)';/gm;

/** @param {string} app @returns {Map<string, Set<string>>} by folder, the folders that it imports from */
function arrowsOf(app) {
  const source = `apps/${app}/src`;
  const files = execSync(`git ls-files -co --exclude-standard ${source}`, { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.spec.ts'));
  const arrows = new Map();
  for (const file of files) {
    for (const [, imported = ''] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
      const [from, to] = [file, posix.join(dirname(file), imported)].map((path) => folderOf(path, source));
      if (from !== to) arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
    }
  }
  return arrows;
}

/** @param {string} path @param {string} source */
const folderOf = (path, source) => posix.relative(source, dirname(path)) || '.';

/** @param {Map<string, Set<string>>} arrows @returns {string[]} the cycles, as `one > other > one` */
function cyclesOf(arrows) {
  /** @type {string[]} */
  const cycles = [];
  const finished = new Set();
  /** @param {string} folder @param {string[]} path */
  const visit = (folder, path) => {
    if (path.includes(folder)) cycles.push([...path.slice(path.indexOf(folder)), folder].join(' > '));
    else if (!finished.has(folder)) {
      for (const next of arrows.get(folder) ?? []) if (next !== '.') visit(next, [...path, folder]);
      finished.add(folder);
    }
  };
  for (const folder of arrows.keys()) if (folder !== '.') visit(folder, []);
  return cycles;
}

describe('the folders of an app', () => {
  const apps = execSync('ls apps', { cwd: root, encoding: 'utf8' }).trim().split('\n');

  it.each(apps.filter((app) => app !== 'e2e'))('%s: import each other in one direction', (app) => {
    const arrows = arrowsOf(app);
    expect(arrows.size).toBeGreaterThan(2);
    expect(cyclesOf(arrows)).toEqual([]);
  });
});
