// All tests: `npx jest <path> -t <name>`, from an editor too. `npx jest --selectProjects unit` runs one kind. Each kind is
// one project, so that `--changedSince` follows imports between the apps and libs. `nx test` uses their own
// jest.config.mjs. None of these files is TypeScript, which Jest cannot read on Node 20 (ADR 37).
import shared from './jest.preset.mjs';
import { LONG_E2E, LONG_INTEGRATION, LONG_UNIT } from './tools/lib/long-tests.mjs';

const preset = './jest.preset.mjs';
const FOLDERS = ['apps', 'libs', 'tools', 'docker', 'k8s', 'observability'];
const setupFilesAfterEnv = ['<rootDir>/tools/jest/retries.mjs'];

const unit = split('unit', LONG_UNIT, {
  preset,
  roots: FOLDERS.map((folder) => `<rootDir>/${folder}`),
});

/** Tests that talk to a real PostgreSQL and RabbitMQ, which the global set-up finds or starts. */
const integration = split('integration', LONG_INTEGRATION, {
  preset,
  roots: ['<rootDir>/apps', '<rootDir>/libs'],
  testMatch: ['<rootDir>/{apps,libs}/*/test/**/*.int-spec.ts'],
  globalSetup: '<rootDir>/tools/jest/integration-set-up.mjs',
  globalTeardown: '<rootDir>/tools/jest/integration-tear-down.mjs',
  setupFilesAfterEnv,
});

/** Tests of a whole installation, which the global set-up starts. */
const e2e = split('e2e', LONG_E2E, {
  preset,
  roots: ['<rootDir>/apps/e2e'],
  testMatch: ['<rootDir>/apps/e2e/src/**/*.e2e.ts'],
  globalSetup: '<rootDir>/tools/jest/e2e-set-up.mjs',
  globalTeardown: '<rootDir>/tools/jest/e2e-tear-down.mjs',
  setupFilesAfterEnv,
});

/**
 * Puts the longest tests of a kind into a project of their own, which a plain run leaves out.
 * @param {string} displayName
 * @param {readonly string[]} long
 * @param {Exclude<NonNullable<import('jest').Config['projects']>[number], string>} config
 */
function split(displayName, long, config) {
  const files = long.map((file) => `<rootDir>/${file}`);
  return [
    { ...config, displayName, testPathIgnorePatterns: ['/node_modules/', ...files] },
    { ...config, displayName: `${displayName}-long`, testMatch: files, testPathIgnorePatterns: ['/node_modules/'] },
  ];
}

/** @type {import('jest').Config} */
export default {
  projects: [...unit, ...integration, ...e2e],
  // Jest ignores the preset's in a project
  testTimeout: shared.testTimeout,
  // Replaces a worker that has loaded many services
  workerIdleMemoryLimit: '1GB',
};
