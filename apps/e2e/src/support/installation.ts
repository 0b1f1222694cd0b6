import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fromGlobalSetUp } from './demo';

export { demo, type Demo } from './demo';

export const collectorUrl = fromGlobalSetUp('E2E_COLLECTOR_URL');

const environment = JSON.parse(fromGlobalSetUp('E2E_ENVIRONMENT')) as Record<string, string>;

/** What the upstream platform takes as credentials. */
export const upstreamToken = (JSON.parse(readFileSync(resolve(environment['SWITCHBOARD_HOME'] ?? '', 'secrets.json'), 'utf8')) as { accessToken: string }).accessToken;

export interface OperatorAnswer {
  exitCode: number;
  /** The parsed JSON of standard output, or of standard error when the command failed. */
  json: Record<string, unknown>;
}

/** Runs `npm run ops -- <words> --json` against the installation under test. */
export function ops(...words: string[]): Promise<OperatorAnswer> {
  return new Promise((done, fail) => {
    const options = { env: { ...process.env, ...environment }, cwd: resolve(import.meta.dirname, '../../../..') };
    execFile(process.execPath, ['tools/ops.mjs', ...words, '--json'], options, (error, stdout, stderr) => {
      const exitCode = error ? Number(error.code ?? 1) : 0;
      try {
        done({ exitCode, json: JSON.parse(exitCode === 0 ? stdout : stderr) as Record<string, unknown> });
      } catch (cause) {
        fail(new Error(`ops ${words.join(' ')} answered no JSON: ${stdout}${stderr}`, { cause }));
      }
    });
  });
}
