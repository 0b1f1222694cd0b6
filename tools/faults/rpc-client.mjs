// @ts-check
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from '../lib/home.mjs';
import { bundleOptions } from '../lib/swc-plugin.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {{ request(command: string, body: object): Promise<{ status: number }>, changing: string[], close(): Promise<void> }} RpcClient */

/**
 * Asks services as the gateway does, by the same code: for what only the operator's program changes, which takes too
 * long to start for a kill to meet it.
 * @returns {Promise<RpcClient>} `request` returns the status that the API would answer with; `changing`: the names of all
 * commands that change something
 */
export async function openRpcClient(/** @type {Installation} */ { broker: { url, logins } }) {
  const outfile = join(ROOT, 'dist', `rpc-${process.pid}.mjs`);
  try {
    await build({
      ...bundleOptions,
      sourcemap: false,
      stdin: { contents: ENTRY, resolveDir: ROOT, loader: 'ts' },
      outfile,
    });
    const { connect, changing } = await import(pathToFileURL(outfile).href);
    return { ...(await connect(logins['gateway'] ?? url)), changing };
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

  export async function connect(url) {
    const broker = createBroker({ service: 'gateway', url, namespace: '', logger: createLogger('faults', 'fatal') });
    await broker.connect();
    const request = async (name, body) => {
      const contract = COMMANDS.find((command) => command.name === name);
      if (!contract) throw new Error('there is no command ' + name);
      return broker.request(contract, body).then(() => ({ status: 200 }), (error) => {
        if (error instanceof AppError) return { status: ERRORS[error.code].status };
        throw error;
      });
    };
    return { request, close: () => broker.close() };
  }`;
