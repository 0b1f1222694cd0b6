// The image's HEALTHCHECK: exits with 0 when /live of this container returns 200, otherwise with 1. The image has no
// curl. Usage: node healthcheck.mjs [--end-stuck] [port]. The default port is MANAGEMENT_PORT. Docker marks an
// unhealthy container but leaves it running. With --end-stuck, this check ends a service whose /live keeps failing, and
// the restart policy starts it again. The container needs an init process (`init: true`), because the kernel shields
// PID 1 from SIGKILL of its own container.
import {
  closeSync,
  constants,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Timeout that leaves room for the start of Node on a loaded host within the 10 s that Docker allows. */
const TIMEOUT_MS = 2_000;
/**
 * Number of consecutive failures before SIGTERM. The same number makes a container unhealthy and restarts a pod on
 * Kubernetes.
 */
const FAILURES_UNTIL_TERM = 3;
/**
 * Number of failures before SIGKILL. With a check every 10 s, the service has 120 s to stop, longer than
 * `stop_grace_period`.
 */
const FAILURES_UNTIL_KILL = FAILURES_UNTIL_TERM + 12;
const STATE = join(tmpdir(), 'healthcheck.json');

const endsStuck = process.argv[2] === '--end-stuck';
const port = process.argv[endsStuck ? 3 : 2] ?? process.env.MANAGEMENT_PORT;

const exit = (reason) => {
  if (reason) console.error(reason);
  try {
    if (endsStuck) count(reason);
  } catch (error) {
    // The error may be due to a full /tmp, which says nothing about the service.
    console.error(error);
  }
  process.exit(reason ? 1 : 0);
};

get({ host: '127.0.0.1', port, path: '/live', timeout: TIMEOUT_MS }, async (response) => {
  if (response.statusCode === 200) return exit();
  exit(`/live answered ${response.statusCode}: ${await text(response)}`);
})
  .on('timeout', () => exit(`/live did not answer within ${TIMEOUT_MS} ms`))
  .on('error', (error) => exit(error.message));

/** Counts consecutive failures and ends the service after too many. */
function count(reason) {
  const service = findService();
  if (!service) return;
  const { id, failures: before } = readState();
  // A service that was never live is still starting, which may take any time.
  if (reason && id !== service.id) return;
  const failures = reason ? before + 1 : 0;
  // Replace the file atomically, so that a full disk never leaves a partial count.
  writeFileSync(`${STATE}.new`, JSON.stringify({ id: service.id, failures }));
  renameSync(`${STATE}.new`, STATE);
  if (failures === FAILURES_UNTIL_TERM) end(service, 'SIGTERM', reason);
  if (failures >= FAILURES_UNTIL_KILL) end(service, 'SIGKILL', reason);
}

function end({ pid }, signal, reason) {
  const line = { level: 'fatal', time: new Date().toISOString(), signal, reason, msg: 'service.stuck' };
  try {
    // Write to the container's log, where operators look for the cause of a restart. Do not block, because a service
    // may be stuck precisely because its log is not read.
    const log = openSync(`/proc/${pid}/fd/1`, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK);
    writeSync(log, `${JSON.stringify(line)}\n`);
    closeSync(log);
  } catch (error) {
    console.error(error);
  }
  process.kill(pid, signal);
}

/** Returns the container's program: the oldest child of its init process. */
function findService() {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map(readProcess)
    .filter((found) => found?.parent === 1 && found.pid !== process.pid)
    .sort((one, other) => one.pid - other.pid)[0];
}

/** Returns undefined for a process that has just ended. */
function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Fields 4 and 22, counted after the process name, which may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid: Number(pid), parent: Number(fields[1]), id: `${pid} ${fields[19]}` };
  } catch {
    return undefined;
  }
}

/** Returns the failure count of earlier checks. `id` identifies the process that they checked. */
function readState() {
  try {
    return JSON.parse(readFileSync(STATE, 'utf8'));
  } catch {
    return { id: undefined, failures: 0 };
  }
}
