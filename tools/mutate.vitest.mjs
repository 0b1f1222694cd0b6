// The unit tests of the URL guard's judgements: without sockets or infrastructure, so that hundreds of mutants are
// tried in minutes.
import { defineConfig } from 'vitest/config';
import { base } from '../vitest.config.mjs';

export default defineConfig({
  ...base,
  test: { ...base.test, include: ['apps/webhooks/src/url-guard/*.spec.ts', 'libs/contracts/src/public-host.spec.ts'] },
});
