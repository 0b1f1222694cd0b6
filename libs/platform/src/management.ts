import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { metricsRegistry } from './metrics';
import { stuckLoops } from './turn-watch';
import { withTimeout } from './with-timeout';

/** Throws when the part is not ready. */
export type ReadinessCheck = () => Promise<void> | void;

const CHECK_TIMEOUT_MS = 1_500;

export interface ManagementListener {
  port: number;
  /** From now on `/ready` answers 503, so that no new work is sent here. */
  refuseWork(): void;
  close(): Promise<void>;
}

/**
 * Serves `/live` (the process answers and none of its loops hangs), `/ready` (all checks pass) and `/metrics`
 * (Prometheus text). No authentication: the port is for the operator's network only.
 */
export async function startManagementListener(
  { port, address }: { port: number; address: string },
  checks: Record<string, ReadinessCheck>,
): Promise<ManagementListener> {
  let accepting = true;
  const server = createServer((request, response) => {
    void answer(request.url ?? '', response, () =>
      accepting ? failedChecks(checks) : Promise.resolve(['stopping']),
    ).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, address, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    refuseWork: () => {
      accepting = false;
    },
    close: () => closeServer(server),
  };
}

async function answer(url: string, response: ServerResponse, findFailed: () => Promise<string[]>): Promise<void> {
  if (url === '/live') {
    const failed = stuckLoops();
    return writeJson(
      response,
      failed.length === 0 ? 200 : 503,
      failed.length === 0 ? { status: 'live' } : { status: 'stuck', failed },
    );
  }
  if (url === '/ready') {
    const failed = await findFailed();
    return writeJson(response, failed.length === 0 ? 200 : 503, {
      status: failed.length === 0 ? 'ready' : 'not ready',
      failed,
    });
  }
  if (url === '/metrics') {
    response.writeHead(200, { 'content-type': metricsRegistry.contentType });
    response.end(await metricsRegistry.metrics());
    return;
  }
  writeJson(response, 404, { status: 'not found' });
}

function writeJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** The names of the checks that fail or do not answer in time. */
async function failedChecks(checks: Record<string, ReadinessCheck>): Promise<string[]> {
  const outcomes = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => ((await passes(check)) ? undefined : name)),
  );
  return outcomes.filter((name) => name !== undefined);
}

async function passes(check: ReadinessCheck): Promise<boolean> {
  try {
    await withTimeout(Promise.resolve(check()), CHECK_TIMEOUT_MS, () => new Error('check timed out'));
    return true;
  } catch {
    return false; // the caller only asks whether it passed; the part itself logs why it is away
  }
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
