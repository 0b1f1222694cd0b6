import type { BrokerLogin } from '@switchboard/contracts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface PrivateBroker {
  /** Address of the administrator login. */
  url: string;
  logins: Record<BrokerLogin, string>;
  pid: number;
  /** Runs a command line tool. @returns its output */
  command(script: string, ...args: string[]): Promise<string>;
  kill9(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  command(script: string, ...args: string[]): Promise<string>;
}

interface BrokerOptions {
  plugins?: string[];
  /** Settings of rabbitmq.conf in addition to the defaults. */
  settings?: Record<string, string>;
}

interface Infra {
  startPrivateBroker(
    options: BrokerOptions & { dir: string; port: number; managementPort?: number },
  ): Promise<PrivateBroker>;
}

interface Ports {
  freeBlock(seed: string, size: number): Promise<number>;
}

const BROKER_PORTS = 4;

/**
 * Starts a RabbitMQ for a single test, which may kill it.
 * @param options.withManagement enables the management API at `managementUrl`
 */
export async function startThrowAwayBroker({
  withManagement = false,
  ...options
}: BrokerOptions & { withManagement?: boolean } = {}): Promise<
  PrivateBroker & { folder: string; managementUrl: string; remove(): Promise<void> }
> {
  const tools = resolve(import.meta.dirname, '../../../../tools');
  // Import by path: the tools are plain JavaScript that runs before dependencies are installed.
  const { startPrivateBroker } = (await import(join(tools, 'infra/index.mjs'))) as Infra;
  const { freeBlock } = (await import(join(tools, 'lib/ports.mjs'))) as Ports;
  const dir = await mkdtemp(join(tmpdir(), 'switchboard-broker-'));
  const port = await freeBlock(dir, BROKER_PORTS + 1);
  const managementPort = port + BROKER_PORTS;
  const broker = await startPrivateBroker({ dir, port, ...options, ...(withManagement && { managementPort }) });
  const remove = async (): Promise<void> => {
    await broker.stop();
    await rm(dir, { recursive: true, force: true });
  };
  return Object.assign(broker, { folder: dir, managementUrl: `http://127.0.0.1:${managementPort}`, remove });
}
