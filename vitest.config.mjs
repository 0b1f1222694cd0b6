// The end-to-end tests, which run a whole installation; the longest are a project of their own. Jest runs the others
// (jest.config.mjs, jest.integration.config.mjs).
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LONG_E2E } from './tools/lib/long-tests.mjs';
import { compileForNest } from './tools/lib/swc-plugin.mjs';

const root = dirname(fileURLToPath(import.meta.url));

/** Tests run what the bundles hold: the same compiler with the same options. @type {import('vite').Plugin} */
const swc = {
  name: 'swc',
  enforce: 'pre',
  async transform(code, id) {
    const [path = ''] = id.split('?');
    return path.endsWith('.ts') ? compileForNest(code, path) : undefined;
  },
};

/**
 * Lets a test import a text file (the simulator's page, a guide) as a string, as the bundle does. @type {import('vite').Plugin}
 */
const text = {
  name: 'text',
  enforce: 'pre',
  transform: (code, id) => (/\.(html|md)$/.test(id) ? { code: `export default ${JSON.stringify(code)};` } : undefined),
};

/** What every run of tests has in common. @type {import('vitest/config').ViteUserConfig} */
export const base = {
  root,
  plugins: [swc, text],
  oxc: false,
  resolve: { alias: [{ find: /^@switchboard\/([^/]+)$/, replacement: `${root}/libs/$1/src/index.ts` }] },
  test: {
    globals: true,
    pool: 'forks',
    // The test files of a process share its modules: to load and warm up a service for each file took longer than most
    // files.
    isolate: false,
    setupFiles: [resolve(root, 'tools/test-setup.mjs')],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
    // In the order in which they are written, as a reader expects.
    sequence: { hooks: 'list' },
    watch: false,
  },
};

const endToEnd = { globalSetup: resolve(root, 'apps/e2e/global-setup.mjs') };

/** @param {string} name @param {string[]} include from the root @param {object} [more] options of this project only */
const project = (name, include, more) => ({ extends: true, test: { name, include, ...more } });

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    projects: [
      project('e2e', ['apps/e2e/src/**/*.e2e.ts'], { ...endToEnd, exclude: LONG_E2E }),
      project('e2e-long', LONG_E2E, endToEnd),
    ],
  },
});
