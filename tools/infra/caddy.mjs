// @ts-check
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/home.mjs';
import { unlessGone } from '../lib/json-file.mjs';
import { makeFolder, privately } from '../lib/private-files.mjs';
import { lastLines } from '../lib/run.mjs';
import { eventually } from '../lib/wait.mjs';
import { ensureProgram } from './promtool.mjs';

const START_TIMEOUT_MS = 30_000;

/** @param {{ log: (text: string) => void }} options */
export const ensureCaddy = ({ log }) => ensureProgram('caddy', { log, program: 'caddy', size: '10 MB' });

/**
 * Starts Caddy with docker/Caddyfile as https://localhost, with a certificate of its internal authority.
 * @param {{ dir: string, httpPort: number, httpsPort: number, gatewayAddress: string, log: (text: string) => void }}
 * options
 * @returns {Promise<{ ca: string, stop: () => Promise<void> }>} `ca`: certificate of the authority (PEM)
 */
export async function startCaddy({ dir, httpPort, httpsPort, gatewayAddress, log }) {
  const program = await ensureCaddy({ log });
  rmSync(dir, { recursive: true, force: true });
  makeFolder(dir);
  const file = join(dir, 'Caddyfile');
  // Change the ports, and do not install the authority's certificate on this machine.
  const own = `http_port ${httpPort}\n\thttps_port ${httpsPort}\n\tskip_install_trust`;
  const text = readFileSync(join(ROOT, 'docker/Caddyfile'), 'utf8').replace('admin off', `admin off\n\t${own}`);
  writeFileSync(file, text);
  const output = openSync(join(dir, 'caddy.log'), 'w', 0o600);
  const env = {
    PATH: process.env['PATH'],
    HOME: dir,
    XDG_DATA_HOME: join(dir, 'data'),
    XDG_CONFIG_HOME: join(dir, 'config'),
    PUBLIC_BASE_URL: 'https://localhost',
    GATEWAY_ADDRESS: gatewayAddress,
  };
  const args = ['run', '--config', file, '--adapter', 'caddyfile'];
  const child = privately(() => spawn(program, args, { cwd: dir, env, stdio: ['ignore', output, output] }));
  closeSync(output);
  const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  process.once('exit', () => child.kill('SIGKILL'));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const root = join(dir, 'data/caddy/pki/authorities/local/root.crt');
  const certificate = join(dir, 'data/caddy/certificates/local/localhost/localhost.crt');
  const responds = () =>
    fetch(`http://localhost:${httpPort}`, { redirect: 'manual' }).then(
      () => existsSync(root) && existsSync(certificate),
      () => false,
    );
  await eventually('Caddy to respond', async () => hasEnded() || (await responds()), { timeoutMs: START_TIMEOUT_MS });
  if (hasEnded())
    throw new Error(
      `Caddy did not start:\n${lastLines(unlessGone(() => readFileSync(join(dir, 'caddy.log'), 'utf8')) ?? '', 15)}`,
    );
  return {
    ca: readFileSync(root, 'utf8'),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
