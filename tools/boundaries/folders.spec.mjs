// @ts-check
// Checks that the directories of an app have no import cycles, so that the directories show the dependencies.
import { execSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const root = join(import.meta.dirname, '../..');
const IMPORT = /^(?:import|export)\s[\s\S]*?\sfrom '(\.[^']+)';/gm;
const LAZY_IMPORT = /\bimport\('(\.[^']+)'\)/g;

/** @param {string} app */
const sourceOf = (app) => `apps/${app}/src`;

/** @param {string} app @returns {{ file: string, text: string }[]} */
function filesOf(app) {
  return execSync(`git ls-files -co --exclude-standard ${sourceOf(app)}`, { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.spec.ts'))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
}

/** @param {string} app @returns {Map<string, Set<string>>} imported folders by folder */
function arrowsOf(app) {
  const arrows = new Map();
  for (const { file, text } of filesOf(app)) {
    for (const [, imported = ''] of text.matchAll(IMPORT)) {
      const [from, to] = [file, posix.join(dirname(file), imported)].map((path) => folderOf(path, sourceOf(app)));
      if (from !== to) arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
    }
  }
  return arrows;
}

/**
 * @param {string} app
 * @returns {Map<string, Set<string>>} files imported statically or lazily, by file without its extension
 */
function fileArrowsOf(app) {
  const nameOf = (/** @type {string} */ path) => posix.relative(sourceOf(app), path).replace(/\.tsx?$/, '');
  return new Map(
    filesOf(app).map(({ file, text }) => {
      const imports = [...text.matchAll(IMPORT), ...text.matchAll(LAZY_IMPORT)];
      return [nameOf(file), new Set(imports.map(([, imported = '']) => nameOf(posix.join(dirname(file), imported))))];
    }),
  );
}

/** @param {string} path @param {string} source */
const folderOf = (path, source) => posix.relative(source, dirname(path)) || '.';

/** @param {Map<string, Set<string>>} arrows @returns {string[]} cycles, as `one > other > one` */
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

describe('folders of an app', () => {
  const apps = execSync('ls apps', { cwd: root, encoding: 'utf8' }).trim().split('\n');

  it.each(apps.filter((app) => app !== 'e2e'))('%s has no import cycles between folders', (app) => {
    const arrows = arrowsOf(app);
    expect(arrows.size).toBeGreaterThan(2);
    expect(cyclesOf(arrows)).toEqual([]);
  });

  it('dashboard files have no import cycles, including lazy imports', () => {
    const arrows = fileArrowsOf('dashboard');
    expect(arrows.get('routes')?.size).toBeGreaterThan(20);
    expect(cyclesOf(arrows)).toEqual([]);
  });

  it('dashboard pages are imported only by routes.tsx', () => {
    const arrows = fileArrowsOf('dashboard');
    const pages = filesOf('dashboard').filter(({ text }) => /^export function Page\b/m.test(text));
    const isPage = new Set(pages.map(({ file }) => posix.relative(sourceOf('dashboard'), file).replace(/\.tsx$/, '')));
    expect(isPage.size).toBeGreaterThan(20);
    arrows.delete('routes');
    expect(
      [...arrows].flatMap(([file, imports]) =>
        [...imports].filter((one) => isPage.has(one)).map((page) => `${file} > ${page}`),
      ),
    ).toEqual([]);
  });
});
