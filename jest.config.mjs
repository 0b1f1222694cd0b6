// One list of all test projects: `jest --selectProjects messaging messaging-integration`.
// A project's unit tests stand beside the code (*.spec.ts), its integration tests in test/ (*.int-spec.ts)
// and talk to a real PostgreSQL and RabbitMQ, which the global set-up finds or starts.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const swc = {
  swcrc: false,
  configFile: false,
  sourceMaps: 'inline',
  module: { type: 'es6' },
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};

const base = {
  testEnvironment: 'node',
  setupFiles: ['reflect-metadata'],
  extensionsToTreatAsEsm: ['.ts', '.html'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc], '^.+\\.html$': resolve(root, 'tools/jest-text-transform.cjs') },
  moduleNameMapper: { '^@switchboard/([^/]+)$': resolve(root, 'libs/$1/src/index.ts') },
};
const needsInfrastructure = { globalSetup: resolve(root, 'tools/jest-global-setup.mjs'), globalTeardown: resolve(root, 'tools/jest-global-teardown.mjs') };

const projectFolders = ['libs', 'apps'].flatMap((kind) =>
  readdirSync(resolve(root, kind))
    .filter((name) => existsSync(resolve(root, kind, name, 'project.json')))
    .map((name) => ({ name, folder: resolve(root, kind, name) })),
);

const projects = projectFolders
  .filter(({ name }) => name !== 'e2e')
  .flatMap(({ name, folder }) => [
    { ...base, displayName: name, rootDir: folder, testMatch: ['<rootDir>/src/**/*.spec.ts'] },
    { ...base, ...needsInfrastructure, displayName: `${name}-integration`, rootDir: folder, testMatch: ['<rootDir>/test/**/*.int-spec.ts'] },
  ]);

export default {
  testTimeout: 60_000,
  // Node 20 sometimes never ends on its own here: its clean-up waits for a request that is long over (Environment::CleanupHandles).
  forceExit: true,
  // Modules of test files that are done stay in a worker's memory (ESM in vm contexts): it would grow by gigabytes and collect garbage instead of keeping time.
  workerIdleMemoryLimit: '1GB',
  projects: [
    ...projects,
    {
      ...base,
      globalSetup: resolve(root, 'apps/e2e/global-setup.mjs'),
      globalTeardown: resolve(root, 'apps/e2e/global-teardown.mjs'),
      displayName: 'e2e',
      rootDir: resolve(root, 'apps/e2e'),
      testMatch: ['<rootDir>/src/**/*.e2e.ts'],
    },
    { ...base, displayName: 'tools', rootDir: resolve(root, 'tools'), testMatch: ['<rootDir>/**/*.spec.mjs'] },
    { ...base, displayName: 'ship', rootDir: root, roots: ['<rootDir>/docker', '<rootDir>/k8s'], testMatch: ['<rootDir>/{docker,k8s}/**/*.spec.ts'] },
  ],
};
