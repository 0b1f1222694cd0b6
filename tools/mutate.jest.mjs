// Runs only the unit tests of the address guard, without sockets or infrastructure, so that hundreds of mutants take
// only minutes.
/** @type {import('jest').Config} */
export default {
  preset: './jest.preset.mjs',
  rootDir: '..',
  roots: ['<rootDir>/apps/webhooks/src/customer-http', '<rootDir>/libs/contracts/src'],
  testMatch: ['**/{url-guard,guarded-lookup,public-host}.spec.ts'],
};
