// @ts-check
// Lints the API description with the rules of Spectral and Redocly, which the tools of API consumers may apply.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { ROOT } from './lib/home.mjs';

const FILE = 'docs/openapi.json';

const problems = [...(await ofSpectral()), ...(await ofRedocly())];
for (const problem of problems) console.error(`${FILE}: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;

async function ofSpectral() {
  const linter = new spectral.Spectral();
  // The types of the packages are incompatible.
  linter.setRuleset(/** @type {any} */ ({ extends: [rulesets.oas] }));
  const found = await linter.run(readFileSync(join(ROOT, FILE), 'utf8'));
  return found.map(({ code, message, path }) => `${message} (${code}) at ${path.join('.')}`);
}

async function ofRedocly() {
  const config = await createConfig({
    extends: ['recommended'],
    // The tracked description has the URL of a local installation.
    rules: { 'no-server-example.com': 'off' },
  });
  const found = await lint({ ref: join(ROOT, FILE), config });
  return found.map(({ ruleId, message, location }) => `${message} (${ruleId}) at ${location[0]?.pointer ?? '?'}`);
}
