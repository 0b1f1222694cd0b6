// @ts-check
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from '../lib/home.mjs';
import { bundleOptions } from '../lib/swc-plugin.mjs';

const ENTRY = `
  export { runOps } from './ops/run';
  export { readOpsSettings } from './config';`;
/** Of a busy machine: the database or a service could not be reached, and nothing was done. */
const TRIES = 5;

/** @typedef {(text: string) => void} Output */
/**
 * @typedef {object} OperatorCommands of apps/gateway/src
 * @property {(environment: Record<string, string>) => unknown} readOpsSettings
 * @property {(args: string[], more: { settings: unknown, actor: string, out: Output, err: Output, input: NodeJS.ReadableStream }) => Promise<number>} runOps
 */

/**
 * The operator's commands, run in this process: to start one for each takes two seconds of a processor, mostly to load packages.
 * @param {Record<string, string>} environment the settings of the commands
 * @param {string} outfile where their bundle is written, inside of the checkout: nobody else may write there meanwhile
 * @returns {Promise<(...args: string[]) => Promise<Record<string, any>>>} runs a command with --json; an Error says how it failed
 */
export async function loadOperator(environment, outfile) {
  const stdin = { contents: ENTRY, resolveDir: join(ROOT, 'apps/gateway/src'), loader: /** @type {const} */ ('ts') };
  await build({ ...bundleOptions, stdin, outfile, tsconfig: join(ROOT, 'apps/gateway/tsconfig.json') });
  /** @type {OperatorCommands} */
  const { runOps, readOpsSettings } = await import(pathToFileURL(outfile).href);
  const settings = readOpsSettings(environment);
  return async (...args) => {
    for (let tries = 1; ; tries += 1) {
      let output = '';
      const take = (/** @type {string} */ text) => void (output += text);
      const code = await runOps([...args, '--json'], { settings, actor: 'cli:faults', out: take, err: take, input: new PassThrough().end() });
      if (code === 0) return JSON.parse(output.slice(output.indexOf('{')));
      if (tries === TRIES || !output.includes('"UNAVAILABLE"')) throw new Error(`ops ${args.slice(0, 2).join(' ')} ended with ${code}: ${output}`);
    }
  };
}
