import type { BrokerLogin } from '@switchboard/contracts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface PrivateBroker {
  /** The administrator's. */
  url: string;
  /** Addresses by login. */
  logins: Record<BrokerLogin, string>;
  pid: number;
  /** Runs a command line tool. @returns what it printed */
  command(script: string, ...args: string[]): Promise<string>;
  kill9(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** The output of a command line tool of RabbitMQ. */
  command(script: string, ...args: string[]): Promise<string>;
}

interface BrokerOptions {
  /** Further plugins. */
  plugins?: string[];
  /** Of rabbitmq.conf, besides those that every node has. */
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
 * A RabbitMQ of the test's own, which it may kill.
 * @param options.withManagement it has its management API, at `managementUrl`
 */
export async function startThrowAwayBroker({
  withManagement = false,
  ...options
}: BrokerOptions & { withManagement?: boolean } = {}): Promise<
  PrivateBroker & { folder: string; managementUrl: string; remove(): Promise<void> }
> {
  const tools = resolve(import.meta.dirname, '../../../../tools');
  // The tools are plain JavaScript that runs before anything is installed.
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
