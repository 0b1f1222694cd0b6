import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LOG_LEVELS, type Logger } from './logging';
import { gauge, renderMetrics } from './metrics';
import { stuckLoops } from './turn-watch';
import { withTimeout } from './with-timeout';

/** Throws when the dependency is unavailable. */
export type HealthCheck = () => Promise<void> | void;

const CHECK_TIMEOUT_MS = 1_500;

type Phase = 'starting' | 'started' | 'stopping';

export interface Health {
  checks: Record<string, HealthCheck>;
  /** True when the process can serve its callers without its dependencies. `/ready` then skips their checks. */
  servesAlone?: boolean;
}

export interface ManagementListener {
  port: number;
  /** Adds the dependencies to `/health` and `/ready`. */
  watch(health: Health): void;
  /** Marks the process as accepting work. */
  started(): void;
  /** Makes `/ready` return 503, so that no new work is routed to this process. */
  refuseWork(): void;
  close(): Promise<void>;
}

/**
 * Serves health checks, metrics and the log level for operators and their tools, from process start to exit:
 * `/live`: the process responds and none of its loops hangs; otherwise a restart helps.
 * `/ready`: the process accepts work. 503 during startup and shutdown, and while a required dependency is unavailable.
 * `/health`: like `/ready`, but 503 when any dependency is unavailable. For alerts, never for a probe.
 * `/metrics`: Prometheus text, or OpenMetrics for a scraper that accepts it.
 * `/log-level`: current log level; `PUT /log-level?level=debug` changes it until the process ends.
 * There is no authentication, so the port must only be reachable from the operator's network.
 */
export async function startManagementListener({
  port,
  address,
  logger,
}: {
  port: number;
  address: string;
  logger: Logger;
}): Promise<ManagementListener> {
  let phase: Phase = 'starting';
  let health: Health = { checks: {} };
  const answers: Record<string, () => Promise<Answer> | Answer> = {
    '/live': () => {
      const failed = stuckLoops();
      return failed.length === 0 ? { isGood: true, status: 'live' } : { isGood: false, status: 'stuck', failed };
    },
    '/ready': async () =>
      readiness(phase === 'started' ? await failedChecks(health.servesAlone ? {} : health.checks) : [phase]),
    '/health': async () => {
      const failed = [...(phase === 'started' ? [] : [phase]), ...(await failedChecks(health.checks))];
      return { isGood: failed.length === 0, status: failed.length === 0 ? 'healthy' : 'degraded', failed };
    },
  };
  const server = createServer((request, response) => {
    const { method = 'GET', url = '' } = request;
    const work = url.startsWith('/log-level')
      ? answerLogLevel(method, url, { response, logger })
      : answer(request, response, answers);
    void Promise.resolve(work).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, address, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    watch: (given) => {
      health = given;
      showDependencies(given.checks);
    },
    started: () => {
      if (phase === 'starting') phase = 'started';
    },
    refuseWork: () => {
      phase = 'stopping';
    },
    close: () => closeServer(server),
  };
}

interface Answer {
  isGood: boolean;
  status: string;
  failed?: string[];
}

function readiness(failed: string[]): Answer {
  return { isGood: failed.length === 0, status: failed.length === 0 ? 'ready' : 'not ready', failed };
}

async function answer(
  { url = '', headers }: IncomingMessage,
  response: ServerResponse,
  answers: Record<string, () => Promise<Answer> | Answer>,
): Promise<void> {
  if (url === '/metrics') {
    const { contentType, text } = await renderMetrics(headers.accept);
    response.writeHead(200, { 'content-type': contentType });
    response.end(text);
    return;
  }
  if (!Object.hasOwn(answers, url)) return writeJson(response, 404, { status: 'not found' });
  const { isGood, ...body } = (await answers[url]?.()) as Answer;
  writeJson(response, isGood ? 200 : 503, body);
}

/** Reads or changes the log level at runtime, because a restart would lose the state under investigation. */
function answerLogLevel(
  method: string,
  url: string,
  { response, logger }: { response: ServerResponse; logger: Logger },
): void {
  const wanted = new URL(url, 'http://localhost').searchParams.get('level');
  if (method !== 'PUT') return writeJson(response, 200, { level: logger.level });
  if (!LOG_LEVELS.some((level) => level === wanted))
    return writeJson(response, 400, { error: `level must be one of ${LOG_LEVELS.join(', ')}` });
  logger.info({ from: logger.level, to: wanted }, 'log.level-changed');
  logger.level = wanted as string;
  writeJson(response, 200, { level: logger.level });
}

function writeJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Exports the state of the dependencies, checked at each scrape. Works even in a process without other listeners. */
function showDependencies(checks: Record<string, HealthCheck>): void {
  gauge('dependency_up', 'Whether the process reaches what it depends on: 1, or 0', ['dependency'], async function () {
    const failed = await failedChecks(checks);
    for (const name of Object.keys(checks)) this.set({ dependency: name }, failed.includes(name) ? 0 : 1);
  });
}

async function failedChecks(checks: Record<string, HealthCheck>): Promise<string[]> {
  const outcomes = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => ((await passes(check)) ? undefined : name)),
  );
  return outcomes.filter((name) => name !== undefined);
}

async function passes(check: HealthCheck): Promise<boolean> {
  try {
    await withTimeout(Promise.resolve(check()), CHECK_TIMEOUT_MS, () => new Error('check timed out'));
    return true;
  } catch {
    return false; // Only the result matters here: the dependency itself logs why it is unavailable.
  }
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
