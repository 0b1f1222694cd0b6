// @ts-check
// npm run --silent ops -- <command>: runs an operator command against the installation of this checkout, or the one
// selected by the environment.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ROOT, SUPERVISOR_LOCK } from './lib/home.mjs';
import { lockOwner } from './lib/lock.mjs';
import {
  NAMES_INSTALLATION,
  operatorEnvironmentProblem,
  readOperatorEnvironment,
} from './lib/operator-environment.mjs';
import { programFile } from './lib/services.mjs';

const problem = operatorEnvironmentProblem(process.env);
if (problem !== undefined) {
  process.stderr.write(`error: ${problem}\n`);
  process.exit(1);
}
const program = programFile('gateway', 'ops');
if (!existsSync(program)) {
  const [{ ensurePackages }, { buildAll }] = await Promise.all([
    import('./lib/packages.mjs'),
    import('./lib/build.mjs'),
  ]);
  // Print to stderr, because programs parse the output of a command with --json.
  await ensurePackages({ log: (text) => process.stderr.write(`${text}\n`), omitDev: true });
  process.stderr.write('building\n');
  await buildAll();
}
// Require all variables or none, because mixing them would connect to two installations.
const isNamed = NAMES_INSTALLATION.every((name) => process.env[name]);
const env = isNamed ? process.env : { ...process.env, ...readOperatorEnvironment() };
const child = spawn(process.execPath, ['--enable-source-maps', program, ...process.argv.slice(2)], {
  stdio: 'inherit',
  cwd: ROOT,
  env,
});
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(name, () => child.kill(name));
child.once('exit', (code, signalName) => {
  process.exitCode = signalName ? 1 : (code ?? 1);
  const isForPrograms = process.argv.includes('--json');
  if (process.exitCode !== 0 && !isForPrograms && !isNamed && lockOwner(SUPERVISOR_LOCK) === undefined)
    process.stderr.write('The installation of this checkout does not run: start it with npm start\n');
});
