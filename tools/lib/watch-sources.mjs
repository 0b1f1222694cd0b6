// @ts-check
import { once } from 'node:events';
import { relative } from 'node:path';
import { ROOT } from './home.mjs';
import { log } from './progress.mjs';

/** Debounce time in milliseconds. Editors write a file in several steps. */
const QUIET_MS = 150;
const FOLDERS = ['apps', 'libs', 'docs'];
/** Files that are not part of any program. */
const BESIDE = /(^|\/)(test|e2e|node_modules)\/|\.((int-|proof-)?spec|e2e)\.tsx?$|(^|\/)openapi\.json$|~$|\.sw.$/;
/** Generated source files (.gitignore). */
const GENERATED =
  /^(apps\/dashboard\/src\/api\/schema\.ts|apps\/gateway\/src\/cli\/help\.json|libs\/client\/src\/api\.ts|libs\/python-client\/src\/switchboard\/(types|_operations)\.py)$/;

/** Returns true when a changed file, relative to the root, may be part of a program. */
export function isSource(/** @type {string} */ file) {
  return (
    /^(apps\/[^/]+\/(src\/|index\.html|public\/)|libs\/[^/]+\/src\/|docs\/(guides\/|spec\.md))/.test(file) &&
    !BESIDE.test(file) &&
    !GENERATED.test(file)
  );
}

/**
 * Renews the programs when a source file changes. Renewals run one at a time, and changes during one trigger another. A
 * failure is logged, and the next change retries.
 * @param {{ renew: () => Promise<string[]>, root?: string }} options `renew` builds and restarts what changed, and
 * returns the names
 * @returns {Promise<() => Promise<void>>} stops watching; resolves once the watcher is ready
 */
export async function watchSources({ renew, root = ROOT }) {
  let isDue = false;
  let isRunning = false;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    while (isDue) {
      isDue = false;
      const begin = Date.now();
      try {
        const names = await renew();
        const seconds = ((Date.now() - begin) / 1000).toFixed(1);
        log(names.length === 0 ? `nothing to start again (${seconds} s)` : `✓ ${names.join(', ')} (${seconds} s)`);
      } catch (error) {
        log(`! ${error instanceof Error ? error.message : error}`);
      }
    }
    isRunning = false;
  };
  const changed = (/** @type {string} */ file) => {
    if (!isSource(file)) return;
    if (!isDue) log(`… ${file} changed`);
    isDue = true;
    clearTimeout(timer);
    timer = setTimeout(() => void run(), QUIET_MS);
  };
  // Node's recursive watch loses files that editors and Git replace. Import lazily, because a fresh clone has no
  // packages yet.
  const { watch } = await import('chokidar');
  const watcher = watch(FOLDERS, {
    cwd: root,
    ignoreInitial: true,
    ignored: (path) => BESIDE.test(`/${relative(root, path)}`),
  });
  watcher.on('all', (_event, file) => changed(file));
  await once(watcher, 'ready');
  return async () => {
    clearTimeout(timer);
    await watcher.close();
  };
}
