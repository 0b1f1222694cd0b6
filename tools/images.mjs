// @ts-check
// npm run images: builds the image of every program from docker/Dockerfile without a container engine, compares the
// packages in each image with its SBOM (npm run sbom), and runs an installation of the images on read-only roots. Needs
// root and Debian.
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { verdict } from './chaos/report.mjs';
import { ensureBaseImage, registryOptions } from './images/base.mjs';
import { runInImage } from './images/container.mjs';
import { runInstallation } from './images/installation.mjs';
import { ensureImageTools } from './infra/buildah.mjs';
import { homePath, ROOT, SHARED_HOME } from './lib/home.mjs';
import { readJson } from './lib/json-file.mjs';
import { ensurePackages } from './lib/packages.mjs';
import { log, say, step } from './lib/progress.mjs';
import { mustRun } from './lib/run.mjs';
import { PROGRAMS } from './lib/services.mjs';

/** @typedef {import('./images/container.mjs').Image} Image */

const STORE = join(SHARED_HOME, 'images');
/** Machine number of 64-bit ARM in an ELF header. */
const ELF_AARCH64 = 183;
const own = process.arch === 'x64' ? 'amd64' : process.arch;

await ensurePackages({ log });
const tools = await step('buildah', () => ensureImageTools({ store: STORE, log }));
const base = await step('base image', () => ensureBaseImage(tools, join(STORE, 'base')));
const registry = await registryOptions(join(STORE, 'npmrc'));
/** @type {Map<string, Image>} */
const images = new Map();
/** @type {string[]} */
const containers = [];
/** @type {string[]} */
const problems = [];
try {
  const empty = await mount(base);
  for (const program of PROGRAMS) images.set(program, await step(`image of ${program}`, () => image(program)));
  for (const program of PROGRAMS) await checkPackages(program, imageOf(program).root);
  await checkOtherProcessor();
  await checkReadOnly(imageOf('otp'));
  say('\nimage         MB  of them base  of them ours');
  for (const [program, { root }] of images)
    say([program.padEnd(12), megabytes(root), megabytes(empty.root), megabytes(join(root, 'app'))].join('  '));
  await step('an installation of the images', () => runInstallation(homePath('images-run'), images));
} catch (error) {
  problems.push(error instanceof Error ? error.message : String(error));
} finally {
  for (const container of containers) await tools.buildah('rm', container).catch(() => undefined);
}
for (const problem of problems) say(`  ${problem}`);
process.exit(
  verdict(problems.length === 0, 'each image holds the packages of its list and runs on a read-only root') ? 0 : 1,
);

/** Builds the image of one program. Unchanged layers are taken from the store. */
async function image(/** @type {string} */ program) {
  const name = `localhost/switchboard/${program}`;
  await build(program, own, ['--tag', name]);
  return mount(name);
}

/** @param {string} program @param {string} processor @param {string[]} more */
async function build(program, processor, more) {
  const options = ['--isolation', 'chroot', '--format', 'docker', '--layers', '--pull-never', ...registry, ...more];
  const args = { NODE_IMAGE: base, TARGETARCH: processor, SERVICE: program };
  const buildArgs = Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
  const file = [
    '--file',
    join(ROOT, 'docker/Dockerfile'),
    '--ignorefile',
    join(ROOT, 'docker/Dockerfile.dockerignore'),
  ];
  await tools.buildah('build', ...options, ...buildArgs, ...file, ROOT);
}

/** @returns {Promise<Image>} */
async function mount(/** @type {string} */ name) {
  const container = await tools.buildah('from', '--pull-never', name);
  containers.push(container);
  const { OCIv1 } = JSON.parse(await tools.buildah('inspect', '--type', 'image', name));
  return { root: await tools.buildah('mount', container), config: OCIv1.config };
}

function imageOf(/** @type {string} */ program) {
  return /** @type {Image} */ (images.get(program));
}

/** Compares the packages in an image with its SBOM from `npm run sbom`. */
async function checkPackages(/** @type {string} */ program, /** @type {string} */ root) {
  await mustRun(process.execPath, [join(ROOT, 'tools/sbom.mjs'), program], { cwd: ROOT });
  const { components } = readJson(join(ROOT, `dist/sbom/${program}-${own}.cdx.json`));
  /** @type {{ group?: string, name: string, version: string }[]} */
  const listed = components;
  const wanted = listed.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`).sort();
  const found = packagesIn(join(root, 'app/node_modules')).sort();
  log(`${program}: ${found.length} packages in the image, ${wanted.length} in its list`);
  if (isDeepStrictEqual(found, wanted)) return;
  const missing = wanted.filter((name) => !found.includes(name));
  const besides = found.filter((name) => !wanted.includes(name));
  problems.push(
    `${program}: only in the list ${missing.join(', ') || '-'}; only in the image ${besides.join(', ') || '-'}`,
  );
}

/** Lists the installed packages: each directory of a node_modules that has a package.json. @returns {string[]} */
function packagesIn(/** @type {string} */ folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((entry) => {
    if (entry.startsWith('.')) return [];
    const path = join(folder, entry);
    const packages = entry.startsWith('@') ? readdirSync(path).map((name) => join(path, name)) : [path];
    return packages.flatMap((each) => {
      const { name, version } = readJson(join(each, 'package.json'));
      return [`${name}@${version}`, ...packagesIn(join(each, 'node_modules'))];
    });
  });
}

/** Builds the gateway's packages for 64-bit ARM and checks the processor of its native modules. */
async function checkOtherProcessor() {
  const name = 'localhost/switchboard/gateway-packages-arm64';
  await step('packages of gateway for arm64', () => build('gateway', 'arm64', ['--target', 'packages', '--tag', name]));
  const { root } = await mount(name);
  const found = execFileSync('find', [join(root, 'app/node_modules'), '-name', '*.node'], { encoding: 'utf8' });
  const modules = found.split('\n').filter((file) => file !== '');
  log(`gateway for arm64: ${modules.length} native module`);
  if (modules.length === 0) problems.push('gateway has no native module for arm64');
  for (const file of modules) if (machineOf(file) !== ELF_AARCH64) problems.push(`${file} is not for arm64`);
}

/** Returns the machine number of an ELF file. */
function machineOf(/** @type {string} */ file) {
  const header = Buffer.alloc(20);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, header);
  closeSync(descriptor);
  return header.readUInt16LE(18);
}

/**
 * Checks that a program runs as the image's user, does not own its code, and cannot write even to a directory that it
 * owns.
 */
async function checkReadOnly(/** @type {Image} */ target) {
  const script = `
    const tries = ['/app/main.mjs', '/home/node/new'].map((file) => {
      try { require('node:fs').appendFileSync(file, ''); return 'written'; } catch ({ code }) { return code; }
    });
    console.log([process.getuid(), ...tries].join(' '));`;
  const { output } = await runInImage(target, {}, 'node', '--eval', script);
  log(`writing to the root of otp as its user: ${output.trim()}`);
  if (output.trim() !== '1000 EACCES EROFS') problems.push(`the root can be written: ${output.trim()}`);
}

/** Returns the size of a directory, excluding other mounts below it. */
function megabytes(/** @type {string} */ folder) {
  const [bytes = ''] = execFileSync('du', ['-sxB1', '--apparent-size', folder], { encoding: 'utf8' }).split('\t');
  return (Number(bytes) / 1e6).toFixed(0).padStart(6);
}
