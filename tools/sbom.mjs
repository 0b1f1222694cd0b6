// @ts-check
// npm run sbom -- <service>: writes the packages of the service's images to dist/sbom/<service>-<processor>.cdx.json
// (CycloneDX).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { homePath, ROOT } from './lib/home.mjs';
import { isInstalled, PROCESSORS, writePackageLists } from './lib/image-packages.mjs';
import { readJson } from './lib/json-file.mjs';
import { mustRun } from './lib/run.mjs';
import { PROGRAMS } from './lib/services.mjs';

const TOOL = join(ROOT, 'node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js');
/** Property in which cyclonedx-npm stores the lock file path of a package. */
const PATH_PROPERTY = 'cdx:npm:package:path';

const [service = ''] = process.argv.slice(2);
if (!PROGRAMS.some((name) => name === service)) {
  process.stderr.write(`usage: npm run sbom -- ${PROGRAMS.join('|')}\n`);
  process.exit(2);
}
const folder = homePath('sbom', service);
await writePackageLists(service, folder);
const { packages } = readJson(join(folder, 'package-lock.json'));
mkdirSync(join(ROOT, 'dist/sbom'), { recursive: true });
for (const [processor, cpu] of Object.entries(PROCESSORS)) {
  const file = join(ROOT, `dist/sbom/${service}-${processor}.cdx.json`);
  // Read only the lock file, so that the output is the same on each machine. Make it reproducible, so that any
  // difference is real.
  const options = ['--package-lock-only', '--omit', 'dev', '--flatten-components', '--output-reproducible'];
  await mustRun(process.execPath, [TOOL, ...options, '--output-file', file], { cwd: folder });
  const bom = JSON.parse(readFileSync(file, 'utf8'));
  bom.metadata.component.version = readJson(join(ROOT, 'apps', service, 'package.json')).version;
  bom.components = bom.components.filter((/** @type {Component} */ component) =>
    isInstalled(packages[pathOf(component)], cpu),
  );
  const listed = new Set(bom.components.map((/** @type {Component} */ component) => component['bom-ref']));
  listed.add(bom.metadata.component['bom-ref']);
  bom.dependencies = bom.dependencies
    .filter((/** @type {Dependency} */ { ref }) => listed.has(ref))
    .map((/** @type {Dependency} */ { ref, dependsOn }) => ({
      ref,
      dependsOn: dependsOn?.filter((to) => listed.has(to)),
    }));
  writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
  console.log(`${file}: ${bom.components.length} packages`);
}

/** @typedef {{ 'bom-ref': string, properties: { name: string, value: string }[] }} Component */
/** @typedef {{ ref: string, dependsOn?: string[] }} Dependency */

function pathOf(/** @type {Component} */ { properties }) {
  return properties.find(({ name }) => name === PATH_PROPERTY)?.value ?? '';
}
