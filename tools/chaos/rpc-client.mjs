// @ts-check
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from '../lib/home.mjs';
import { bundleOptions } from '../lib/swc-plugin.mjs';

/** @typedef {{ request(command: string, body?: object): Promise<{ status: number, reply?: object, error?: Error }>, changing: string[], close(): Promise<void> }} RpcClient */

/**
 * Opens an RPC client that uses the gateway's own code. It sends commands that otherwise only the operator CLI sends,
 * which starts too slowly for kills to hit the command.
 * @param {{ broker: { url: string, logins: Record<string, string | undefined>, namespace?: string } }} installation
 * @returns {Promise<RpcClient>} `request` sends the contract's sample by default and returns the corresponding HTTP
 * status; `changing`: names of all commands with side effects
 */
export async function openRpcClient({ broker: { url, logins, namespace = '' } }) {
  const outfile = join(ROOT, 'dist', `rpc-${process.pid}.mjs`);
  try {
    await build({
      ...bundleOptions,
      sourcemap: false,
      stdin: { contents: ENTRY, resolveDir: ROOT, loader: 'ts' },
      outfile,
    });
    const { connect, changing } = await import(pathToFileURL(outfile).href);
    return { ...(await connect(logins['gateway'] ?? url, namespace)), changing };
  } finally {
    rmSync(outfile, { force: true });
  }
}

const ENTRY = `
  import 'reflect-metadata';
  import { createBroker } from './libs/broker/src/index';
  import { AppError, COMMANDS, ERRORS } from './libs/contracts/src/index';
  import { createLogger } from './libs/platform/src/index';

  export const changing = COMMANDS.filter(({ changes }) => changes).map(({ name }) => name);

  export async function connect(url, namespace) {
    const broker = createBroker({ service: 'gateway', url, namespace, logger: createLogger('chaos', 'fatal') });
    await broker.connect();
    const request = async (name, body) => {
      const contract = COMMANDS.find((command) => command.name === name);
      if (!contract) throw new Error('there is no command ' + name);
      return broker.request(contract, body ?? contract.sample).then((reply) => ({ status: 200, reply }), (error) => {
        if (error instanceof AppError) return { status: ERRORS[error.code].status, error };
        throw error;
      });
    };
    return { request, close: () => broker.close() };
  }`;
