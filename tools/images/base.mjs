// @ts-check
// Builds a base image that replaces node:<version>-<suite>-slim where no image registry is reachable.
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/home.mjs';
import { mustRun } from '../lib/run.mjs';

/** npm version that Node 24.21 includes. */
const NPM = '11.19.0';
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Builds the image from Debian's packages and the Node in node_modules. Later runs reuse the image from the store.
 * @param {import('../infra/buildah.mjs').ImageTools} tools
 * @param {string} folder directory for the files of the image
 * @returns {Promise<string>} name of the image
 */
export async function ensureBaseImage({ buildah, debootstrap }, folder) {
  const [, version = '', suite = ''] =
    /^ARG NODE_IMAGE=.*node:([\d.]+)-(\w+)-slim@/m.exec(readFileSync(join(ROOT, 'docker/Dockerfile'), 'utf8')) ?? [];
  const name = `localhost/node:${version}-${suite}`;
  if ((await buildah('images', '--format', '{{.Name}}:{{.Tag}}')).split('\n').includes(name)) return name;
  rmSync(folder, { recursive: true, force: true });
  await debootstrap(suite, folder);
  const program = join(folder, 'usr/local/bin/node');
  copyFileSync(join(ROOT, `node_modules/node-linux-${process.arch}/bin/node`), program);
  const found = (await mustRun(program, ['--version'])).trim();
  if (found !== `v${version}`) throw new Error(`docker/Dockerfile names Node ${version}; node_modules has ${found}`);
  await mustRun('npm', ['install', '--global', '--prefix', join(folder, 'usr/local'), `npm@${NPM}`], { cwd: ROOT });
  await mustRun('chroot', [folder, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node']);
  const container = await buildah('from', 'scratch');
  await buildah('add', '--quiet', container, folder, '/');
  await buildah('config', '--env', `PATH=${PATH}`, '--cmd', 'node', container);
  await buildah('commit', '--quiet', '--rm', container, name);
  rmSync(folder, { recursive: true, force: true });
  return name;
}

/**
 * Returns build options that let npm use this machine's registry settings.
 * @param {string} file file for npm's settings, which may contain a token
 */
export async function registryOptions(file) {
  const setting = async (/** @type {string} */ name) =>
    (await mustRun('npm', ['config', 'get', name], { cwd: ROOT })).trim();
  const [userConfig, registry, cafile] = await Promise.all(['userconfig', 'registry', 'cafile'].map(setting));
  const user = userConfig && existsSync(userConfig) ? readFileSync(userConfig, 'utf8') : '';
  const hasAuthority = cafile !== undefined && existsSync(cafile);
  const lines = [user, `registry=${registry}`, ...(hasAuthority ? [`cafile=${cafile}`] : [])];
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  return [`${file}:/root/.npmrc:ro`, ...(hasAuthority ? [`${cafile}:${cafile}:ro`] : [])].flatMap((volume) => [
    '--volume',
    volume,
  ]);
}
