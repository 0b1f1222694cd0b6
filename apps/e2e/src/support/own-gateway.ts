import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { eventually } from '@switchboard/testing';
import { freeBlock } from '../../../../tools/lib/ports.mjs';
import { operatorEnvironment } from './installation';

const ROOT = resolve(import.meta.dirname, '../../../..');
const START_MS = 120_000;

/** Additional gateway of the installation, which a test may stop without affecting other tests. */
export interface OwnGateway {
  dashboardUrl: string;
  start(): Promise<void>;
  /** Kills the process abruptly, like a crash. */
  kill(): Promise<void>;
}

export async function startOwnGateway(): Promise<OwnGateway> {
  const port = await freeBlock('a gateway of a test', 2);
  const url = `http://localhost:${port}`;
  let running: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const begun = spawn(process.execPath, [join(ROOT, 'dist/apps/gateway/main.mjs')], {
      env: { ...process.env, ...operatorEnvironment, ...gatewayLogin(), ...addresses(port) },
      stdio: 'ignore',
    });
    running = begun;
    await eventually(
      async () => {
        if (begun.exitCode !== null) throw new Error(`the gateway ended with ${begun.exitCode}`);
        expect((await fetch(`${url}/dashboard`)).status).toBe(200);
      },
      { timeoutMs: START_MS },
    );
  };
  const kill = async (): Promise<void> => {
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  };
  await start();
  return { dashboardUrl: `${url}/dashboard`, start, kill };
}

function addresses(port: number): Record<string, string> {
  return {
    GATEWAY_PORT: String(port),
    MANAGEMENT_PORT: String(port + 1),
    PUBLIC_BASE_URL: `http://localhost:${port}`,
    SWITCHBOARD_SERVICE: 'gateway of a test',
  };
}

/** Returns the gateway's own broker login, because the operator's lacks its permissions. */
function gatewayLogin(): Record<string, string> {
  const kept = join(operatorEnvironment['SWITCHBOARD_HOME'] ?? '', 'infra.json');
  if (!existsSync(kept)) return {};
  const { rabbitmq } = JSON.parse(readFileSync(kept, 'utf8')) as { rabbitmq?: { logins?: { gateway?: string } } };
  return rabbitmq?.logins?.gateway ? { RABBITMQ_URL: rabbitmq.logins.gateway } : {};
}
