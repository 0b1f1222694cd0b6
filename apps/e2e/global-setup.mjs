// @ts-check
// Starts a complete installation for the end-to-end tests, like `npm start`, with its own directory and ports. It uses
// the test database and a separate broker on which each service has its own login. A small trace collector runs next to
// it.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { ensureInfra } from '../../tools/infra/index.mjs';
import { ROOT } from '../../tools/lib/home.mjs';
import { bundleOperator, loadOperator } from '../../tools/lib/operator.mjs';
import { anyFreePort, freeBlock } from '../../tools/lib/ports.mjs';

const run = promisify(execFile);

const E2E_HOME = join(ROOT, '.local', 'e2e');

/** @type {import('node:http').Server[]} */
const servers = [];

export async function setup() {
  const target = process.env['CONFORMANCE_TARGET'];
  if (target !== undefined) {
    // For an existing installation, only its address and a key are known.
    process.env['E2E_DEMO'] = target;
    return;
  }
  const infra = await ensureInfra({ log: (text) => process.stderr.write(`${text}\n`) });
  const collectorUrl = await startCollector();
  // Take the ports from a reserved block: while a service restarts, the system could assign any other free port to an
  // outgoing connection of another process. The seed names the checkout, because tests of another checkout may start at
  // the same time.
  const port = await freeBlock(`end-to-end tests in ${ROOT}`, 2);
  const environment = {
    SWITCHBOARD_HOME: E2E_HOME,
    SWITCHBOARD_DATABASE_URL: infra.databaseUrl,
    RABBITMQ_URL: '',
    GATEWAY_PORT: String(port),
    SIMULATOR_PORT: String(port + 1),
    OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
    // Tests that poll send far more requests than a page does.
    CONSOLE_REQUESTS_PER_MINUTE: '10000',
  };
  // Set this before the start, so that the teardown of a failed start cannot reach the developer's own installation.
  process.env['E2E_ENVIRONMENT'] = JSON.stringify(environment);
  const npmStart = join(ROOT, 'tools/start.mjs');
  await run(process.execPath, [npmStart, '--detach'], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    maxBuffer: 1 << 24,
  }).catch((error) => {
    throw new Error(`npm start failed:\n${error.stdout}${error.stderr}`, { cause: error });
  });
  process.env['E2E_DEMO'] = readFileSync(join(E2E_HOME, 'demo.json'), 'utf8');
  process.env['E2E_OPERATOR_URL'] = await startOperator();
  process.env['E2E_COLLECTOR_URL'] = collectorUrl;
}

/**
 * Runs the operator commands for all test files, because loading them takes a second of processor time. Accepts `{
 * environment, words }` at `POST /`, and returns the command's JSON, or its error as text.
 */
async function startOperator() {
  const bundle = join(ROOT, '.local', 'e2e-operator.mjs');
  await bundleOperator(bundle);
  return listen((body, response) => {
    const { environment, words } = JSON.parse(body);
    loadOperator(bundle, { environment, actor: 'cli:tests' })
      .then((run) => run(...words))
      .then(
        (json) => response.end(JSON.stringify(json)),
        (error) => response.writeHead(500).end(error.message),
      );
  });
}

/** Accepts OTLP over HTTP as JSON and returns all bodies at `GET /`. */
function startCollector() {
  /** @type {string[]} */
  const bodies = [];
  return listen((body, response) => {
    if (body !== '') bodies.push(body);
    response.writeHead(200, { 'content-type': 'application/json' }).end(body === '' ? `[${bodies.join()}]` : '{}');
  });
}

/**
 * Starts a server that {@link teardown} closes.
 * @param {(body: string, response: import('node:http').ServerResponse) => void} answer
 * @returns {Promise<string>} its address
 */
async function listen(answer) {
  // Never close an idle connection, because a test could send its next request into the closing one.
  const server = createServer(
    { keepAliveTimeout: 0 },
    (request, response) => void text(request).then((body) => answer(body, response)),
  );
  servers.push(server);
  const port = await anyFreePort();
  await /** @type {Promise<void>} */ (new Promise((resolve) => server.listen(port, '127.0.0.1', resolve)));
  return `http://127.0.0.1:${port}`;
}

/** Directory for the service logs of the last run, the only way to explain a test that fails once in many runs. */
const KEPT_LOGS = join(ROOT, '.local', 'e2e-logs');

/** Stops the installation and removes its data, database and queued messages. */
export function teardown() {
  if (process.env['CONFORMANCE_TARGET'] !== undefined) return;
  rmSync(KEPT_LOGS, { recursive: true, force: true });
  cpSync(join(E2E_HOME, 'logs'), KEPT_LOGS, { recursive: true });
  const environment = { ...process.env, ...JSON.parse(process.env['E2E_ENVIRONMENT'] ?? '{}') };
  execFileSync(process.execPath, [join(ROOT, 'tools/reset.mjs')], { cwd: ROOT, env: environment, stdio: 'inherit' });
  for (const server of servers) server.close();
}
