// The unit tests of the URL guard's judgements: without sockets or infrastructure, so that hundreds of mutants are tried in minutes.
import config from '../jest.config.mjs';

const { transform, extensionsToTreatAsEsm, setupFiles } = config.projects.find(({ displayName }) => displayName === 'webhooks');

export default {
  transform,
  extensionsToTreatAsEsm,
  setupFiles,
  rootDir: '..',
  testMatch: ['<rootDir>/apps/webhooks/src/url-guard/*.spec.ts', '<rootDir>/libs/contracts/src/public-host.spec.ts'],
  moduleNameMapper: { '^@switchboard/([^/]+)$': '<rootDir>/libs/$1/src/index.ts' },
  forceExit: true,
};
