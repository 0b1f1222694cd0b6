// @ts-check
// npm start [-- --detach]: starts an installation from a fresh clone. npm run dev does the same with --watch.
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ensureInfra, stopInfra, watchInfra } from './infra/index.mjs';
import { demoBox } from './lib/demo.mjs';
import { becomeSupervisor, isReady, readDemo, supervisorPid } from './lib/installation.mjs';
import { openLog } from './lib/log-files.mjs';
import { log, printWith, say } from './lib/progress.mjs';
import { interruptRuns } from './lib/run.mjs';
import { bringUp, DEBUG_PORTS } from './lib/up.mjs';
import { eventually } from './lib/wait.mjs';
import { watchSources } from './lib/watch-sources.mjs';

/** @typedef {{ line?: string, ready?: boolean }} Report messages from a detached supervisor to its terminal */

const USAGE =
  'usage: npm start [-- --detach], npm run dev [-- --detach]\n  npm run dev restarts a service when one of its files changes, and accepts debuggers.\n  GATEWAY_PORT (3000), SIMULATOR_PORT (3900), SWITCHBOARD_INFRA (given, ports, docker, local),\n  SWITCHBOARD_DATABASE_URL (admin login), RABBITMQ_URL';
/** Environment variable that makes this program the background supervisor. */
const DETACHED = 'SWITCHBOARD_DETACHED';
const LONGEST_START_MS = 900_000;

process.stdout.on('error', () => undefined); // The terminal may be closed before the cleanup has finished.

const isWatching = process.argv.includes('--watch');
const unknown = process.argv.slice(2).filter((word) => word !== '--detach' && word !== '--watch');
if (unknown.length > 0) exitWith(unknown.includes('--help') ? 0 : 1, USAGE);
else if (await showRunning()) process.exitCode = 0;
else if (process.argv.includes('--detach')) startDetached();
else await supervise();

/** Prints the details of an installation that is running or starting. */
async function showRunning() {
  if (supervisorPid() === undefined) return false;
  if (!isReady()) log(`already starting (process ${supervisorPid()}); waiting for it`);
  await eventually('the running start', () => isReady() || supervisorPid() === undefined, {
    timeoutMs: LONGEST_START_MS,
    everyMs: 300,
  });
  const demo = readDemo();
  if (!isReady() || !demo) return false;
  say(`Already running (process ${supervisorPid()}). For other settings, run npm stop first.\n${demoBox(demo)}`);
  return true;
}

/** Starts the supervisor in the background, shows its progress, and returns when it is ready. */
function startDetached() {
  const output = openLog('supervisor');
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...(isWatching ? ['--watch'] : [])], {
    detached: true,
    stdio: ['ignore', output, output, 'ipc'],
    env: { ...process.env, [DETACHED]: '1' },
  });
  closeSync(output);
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(name, () => child.kill('SIGTERM'));
  child.on('message', (/** @type {Report} */ { line, ready }) => {
    if (line !== undefined) say(line);
    if (!ready) return;
    // Print here, not in the supervisor, whose output is logged, because the text contains an API key.
    const demo = readDemo();
    if (demo) say(demoBox(demo));
    say('Runs in the background: npm stop ends it, npm run logs -- <service> shows a log.');
    process.exit(0);
  });
  child.once('exit', (code) => process.exit(code || 1));
}

/** Starts everything and keeps it running until a signal arrives. */
async function supervise() {
  if (process.env[DETACHED]) printWith(reportLine);
  const release = becomeSupervisor();
  if (!release) return exitWith(1, 'another start was faster: run npm start again');
  /** @type {import('./lib/up.mjs').Running | undefined} */
  let programs;
  let endWatch = () => {};
  let ending = false;
  const end = async (/** @type {number} */ code) => {
    if (ending) return; // npm forwards Ctrl-C, so it arrives twice
    ending = true;
    endWatch();
    await interruptRuns();
    await programs?.stop().catch((error) => log(`! ${error.message}`));
    await stopInfra().catch((error) => log(`! ${error.message}`));
    log('stopped');
    release();
    process.exit(code);
  };
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(name, () => void (ending || log('stopping …'), end(0)));
  try {
    const demo = await bringUp((running) => (programs = running), { isDebugged: isWatching });
    const endInfraWatch = await watchInfra({ log, restart: () => ensureInfra({ log }) });
    const endSourceWatch = isWatching && programs ? await watchSources(programs) : () => {};
    endWatch = () => (endInfraWatch(), void endSourceWatch());
    if (process.env[DETACHED]) return reportReady();
    say(demoBox(demo));
    if (isWatching)
      say(`Debuggers: ${DEBUG_PORTS}. A change of a source file builds and starts again what it is part of.`);
    say('Ctrl-C stops everything.');
  } catch (error) {
    if (ending) return;
    say(`\nCannot start: ${error instanceof Error ? wordsOf(error) : error}`);
    await end(1);
  }
}

/** Returns an error's message with its cause, because `fetch` gives the reason only there. */
function wordsOf(/** @type {Error} */ { message, cause }) {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

function reportLine(/** @type {string} */ line) {
  process.stdout.write(`${line}\n`);
  if (process.connected) process.send?.({ line }, () => undefined);
}

function reportReady() {
  if (process.connected) process.send?.({ ready: true }, () => process.disconnect());
}

function exitWith(/** @type {number} */ code, /** @type {string} */ text) {
  say(text);
  process.exitCode = code;
}
