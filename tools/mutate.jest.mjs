// The tests that stand behind the URL guard: without any infrastructure, so that hundreds of mutants can be tried.
import config from '../jest.config.mjs';

const { testMatch: _all, globalSetup: _none, rootDir: _folder, displayName: _name, ...base } = config.projects.find(({ displayName }) => displayName === 'webhooks');

export default {
  ...base,
  rootDir: '..',
  testMatch: ['<rootDir>/apps/webhooks/src/url-guard/*.spec.ts', '<rootDir>/apps/webhooks/test/{url-guard,proxy}.int-spec.ts', '<rootDir>/libs/contracts/src/public-host.spec.ts'],
  moduleNameMapper: { '^@switchboard/([^/]+)$': '<rootDir>/libs/$1/src/index.ts' },
  forceExit: true,
};
