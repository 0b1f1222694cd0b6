// Runs all tests: `npx jest <path> -t <name>`, also from an editor. `npx jest --selectProjects unit` runs one kind.
// Each kind is a single project, so that `--changedSince` follows imports between apps and libs. `nx test` uses the
// jest.config.mjs of each project. None of these files is TypeScript, because Jest cannot read it on Node 20 (ADR 37).
import shared from './jest.preset.mjs';

const preset = './jest.preset.mjs';
const FOLDERS = ['apps', 'libs', 'tools', 'docker', 'k8s', 'observability'];
/** Shares compiled files between all projects and those of `nx test`, whose caches Jest separates by this id. */
const id = 'switchboard';
const setupFilesAfterEnv = ['<rootDir>/tools/jest/retries.mjs'];

const unit = {
  id,
  preset,
  roots: FOLDERS.map((folder) => `<rootDir>/${folder}`),
};

/** Tests against a real PostgreSQL and RabbitMQ, which the global setup finds or starts. */
const integration = {
  id,
  preset,
  roots: ['<rootDir>/apps', '<rootDir>/libs'],
  globalSetup: '<rootDir>/tools/jest/integration-set-up.mjs',
  globalTeardown: '<rootDir>/tools/jest/integration-tear-down.mjs',
  setupFilesAfterEnv,
};

/** Tests of a whole installation, which the global setup starts. */
const e2e = {
  id,
  preset,
  roots: ['<rootDir>/apps/e2e'],
  globalSetup: '<rootDir>/tools/jest/e2e-set-up.mjs',
  globalTeardown: '<rootDir>/tools/jest/e2e-tear-down.mjs',
  setupFilesAfterEnv,
};

/** @type {import('jest').Config} */
export default {
  projects: [
    { ...unit, displayName: 'unit' },
    {
      ...unit,
      displayName: 'unit-proofs',
      testMatch: ['<rootDir>/**/*.proof-spec.{ts,mjs}'],
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/(apps|libs)/[^/]+/test/'],
    },
    { ...integration, displayName: 'integration', testMatch: ['<rootDir>/{apps,libs}/*/test/**/*.int-spec.ts'] },
    {
      ...integration,
      displayName: 'integration-proofs',
      testMatch: ['<rootDir>/{apps,libs}/*/test/**/*.proof-spec.ts'],
    },
    { ...e2e, displayName: 'e2e', testMatch: ['<rootDir>/apps/e2e/src/**/*.e2e.ts'] },
    { ...e2e, displayName: 'e2e-proofs', testMatch: ['<rootDir>/apps/e2e/src/**/*.proof-e2e.ts'] },
  ],
  // Jest ignores the preset's value in a project
  testTimeout: shared.testTimeout,
  // Replaces a worker that has loaded many services
  workerIdleMemoryLimit: '1GB',
};
