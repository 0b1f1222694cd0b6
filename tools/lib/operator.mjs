// @ts-check
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from './home.mjs';
import { bundleOptions } from './swc-plugin.mjs';

const ENTRY = `
  export { runCli } from './cli/run';
  export { readCliSettings } from './config';
  export { apiRoutes } from './reference/api-routes';`;
/** Of a busy machine: the database or a service could not be reached, and nothing was done. */
const TRIES = 5;

/** @typedef {(text: string) => void} Output */
/**
 * @typedef {object} OperatorCommands of apps/gateway/src
 * @property {(environment: Record<string, string>) => unknown} readCliSettings
 * @property {() => object[]} apiRoutes
 * @property {(args: string[], more: { settings: unknown, actor: string, out: Output, err: Output, input:
 * NodeJS.ReadableStream, apiRoutes: () => object[], untilEnded: () => AbortSignal }) => Promise<number>} runCli
 */

/**
 * Bundles the operator's commands for {@link loadOperator}.
 * @param {string} outfile where the bundle is written, inside of the checkout: nobody else may write there meanwhile
 */
export async function bundleOperator(outfile) {
  const stdin = { contents: ENTRY, resolveDir: join(ROOT, 'apps/gateway/src'), loader: /** @type {const} */ ('ts') };
  await build({ ...bundleOptions, stdin, outfile, tsconfig: join(ROOT, 'apps/gateway/tsconfig.json') });
}

/**
 * The operator's commands, run in this process: to start one for each takes two seconds of a processor, mostly to load
 * packages.
 * @param {string} bundle of {@link bundleOperator}
 * @param {{ environment: Record<string, string>, actor: string }} options the settings of the commands, and who is at
 * work, for the audit log
 * @returns {Promise<(...args: string[]) => Promise<Record<string, any>>>} runs a command with --json; an Error says how
 * it failed
 */
export async function loadOperator(bundle, { environment, actor }) {
  /** @type {OperatorCommands} */
  const { runCli, readCliSettings, apiRoutes } = await import(pathToFileURL(bundle).href);
  const settings = readCliSettings(environment);
  return async (...args) => {
    for (let tries = 1; ; tries += 1) {
      let output = '';
      const take = (/** @type {string} */ text) => void (output += text);
      const code = await runCli([...args, '--json'], {
        settings,
        actor,
        out: take,
        err: take,
        input: new PassThrough().end(),
        apiRoutes,
        untilEnded: () => AbortSignal.abort(),
      });
      if (code === 0) return JSON.parse(output.slice(output.indexOf('{')));
      if (tries === TRIES || !output.includes('"UNAVAILABLE"'))
        throw new Error(`ops ${args.slice(0, 2).join(' ')} ended with ${code}: ${output}`);
    }
  };
}
