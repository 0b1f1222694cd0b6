// All integration tests: test/*.int-spec.ts talk to a real PostgreSQL and RabbitMQ, which the global set-up finds or
// starts. `npx jest --config jest.integration.config.mjs apps/messaging/test/send.int-spec.ts`
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LONG_INTEGRATION } from './tools/lib/long-tests.mjs';

const tools = join(import.meta.dirname, 'tools/jest');

/** Packages that name a file for `import` alone. */
const IMPORTED_PACKAGES = ['@great-detail/whatsapp', 'fauxqs'];

/** @type {import('jest').Config} */
export default {
  preset: './jest.preset.mjs',
  roots: ['<rootDir>/apps', '<rootDir>/libs'],
  testMatch: ['<rootDir>/{apps,libs}/*/test/**/*.int-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...LONG_INTEGRATION],
  moduleNameMapper: Object.fromEntries(
    IMPORTED_PACKAGES.map((name) => [`^${name}$`, fileURLToPath(import.meta.resolve(name))]),
  ),
  globalSetup: join(tools, 'integration-set-up.mjs'),
  globalTeardown: join(tools, 'integration-tear-down.mjs'),
  setupFilesAfterEnv: [join(tools, 'retries.mjs')],
};
