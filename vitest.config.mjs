// One list of all test projects: `vitest run --project messaging --project messaging-integration`.
// A project's unit tests stand beside the code (*.spec.ts), its integration tests in test/ (*.int-spec.ts)
// and talk to a real PostgreSQL and RabbitMQ, which the global set-up finds or starts.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
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

/** Lets a test import a text file (the simulator's page) as a string, as the bundle does. @type {import('vite').Plugin} */
const text = {
  name: 'text',
  enforce: 'pre',
  transform: (code, id) => (id.endsWith('.html') ? { code: `export default ${JSON.stringify(code)};` } : undefined),
};

const folders = ['libs', 'apps'].flatMap((kind) =>
  readdirSync(resolve(root, kind))
    .filter((name) => name !== 'e2e' && existsSync(resolve(root, kind, name, 'project.json')))
    .map((name) => ({ name, folder: resolve(root, kind, name) })),
);

/** What every run of tests has in common. @type {import('vitest/config').ViteUserConfig} */
export const base = {
  root,
  plugins: [swc, text],
  oxc: false,
  resolve: { alias: [{ find: /^@switchboard\/([^/]+)$/, replacement: `${root}/libs/$1/src/index.ts` }] },
  test: {
    globals: true,
    pool: 'forks',
    // The test files of a process share its modules: to load and warm up a service for each file took longer than most files.
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

/** @param {string} name @param {string} folder @param {string} files @param {object} [more] options of this project only */
const project = (name, folder, files, more) => ({ extends: true, test: { name, root: folder, include: [files], ...more } });
const integration = { globalSetup: resolve(root, 'tools/test-global-setup.mjs'), setupFiles: [resolve(root, 'tools/integration-test-setup.mjs')] };

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    projects: [
      ...folders.map(({ name, folder }) => project(name, folder, 'src/**/*.spec.ts')),
      ...folders.map(({ name, folder }) => project(`${name}-integration`, folder, 'test/**/*.int-spec.ts', integration)),
      project('e2e', resolve(root, 'apps/e2e'), 'src/**/*.e2e.ts', { globalSetup: resolve(root, 'apps/e2e/global-setup.mjs') }),
      project('tools', resolve(root, 'tools'), '**/*.spec.mjs'),
      project('ship', root, '{docker,k8s}/**/*.spec.ts'),
    ],
  },
});
