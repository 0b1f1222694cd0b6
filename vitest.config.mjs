// The test projects that need servers: `vitest run --project integration apps/messaging/`. Integration tests stand in
// test/ (*.int-spec.ts) and talk to a real PostgreSQL and RabbitMQ, which the global set-up finds or starts; end-to-end
// tests run a whole installation. The longest of each are a project of their own. All services share a project, so that
// a worker process loads each module once for all of them. Jest runs the unit tests (jest.config.mjs).
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LONG_E2E, LONG_INTEGRATION } from './tools/lib/long-tests.mjs';
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

/** What tests have that meet real servers. */
const integration = {
  globalSetup: resolve(root, 'tools/test-global-setup.mjs'),
  setupFiles: [resolve(root, 'tools/integration-test-setup.mjs')],
};

const endToEnd = { globalSetup: resolve(root, 'apps/e2e/global-setup.mjs') };

/** @param {string} name @param {string[]} include from the root @param {object} [more] options of this project only */
const project = (name, include, more) => ({ extends: true, test: { name, include, ...more } });

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    projects: [
      project('integration', ['{apps,libs}/*/test/**/*.int-spec.ts'], { ...integration, exclude: LONG_INTEGRATION }),
      project('integration-long', LONG_INTEGRATION, integration),
      project('e2e', ['apps/e2e/src/**/*.e2e.ts'], { ...endToEnd, exclude: LONG_E2E }),
      project('e2e-long', LONG_E2E, endToEnd),
    ],
  },
});
