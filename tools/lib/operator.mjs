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
/** Number of attempts while a busy machine's database or service is unreachable, so that nothing was done. */
const TRIES = 5;

/** @typedef {(text: string) => void} Output */
/**
 * @typedef {object} OperatorCommands exports of apps/gateway/src
 * @property {(environment: Record<string, string>) => unknown} readCliSettings
 * @property {() => object[]} apiRoutes
 * @property {(args: string[], more: { settings: unknown, actor: string, out: Output, err: Output, input:
 * NodeJS.ReadableStream, apiRoutes: () => object[], untilEnded: () => AbortSignal }) => Promise<number>} runCli
 */

/**
 * Bundles the operator commands for {@link loadOperator}.
 * @param {string} outfile path of the bundle inside the checkout, to which no other process may write meanwhile
 */
export async function bundleOperator(outfile) {
  const stdin = { contents: ENTRY, resolveDir: join(ROOT, 'apps/gateway/src'), loader: /** @type {const} */ ('ts') };
  await build({ ...bundleOptions, stdin, outfile, tsconfig: join(ROOT, 'apps/gateway/tsconfig.json') });
}

/**
 * Loads the operator commands into this process. Starting a process per command would take two seconds of CPU time,
 * mostly to load packages.
 * @param {string} bundle result of {@link bundleOperator}
 * @param {{ environment: Record<string, string>, actor: string }} options settings of the commands, and the actor for
 * the audit log
 * @returns {Promise<(...args: string[]) => Promise<Record<string, any>>>} runs a command with `--json`; throws an Error
 * when it fails
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
