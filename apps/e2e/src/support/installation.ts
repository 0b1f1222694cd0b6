import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fromGlobalSetUp } from './demo';

export { demo, type Demo } from './demo';

export const collectorUrl = fromGlobalSetUp('E2E_COLLECTOR_URL');

const operatorUrl = fromGlobalSetUp('E2E_OPERATOR_URL');

/** Environment that selects the installation under test for `npm run` commands. */
export const installationEnvironment = JSON.parse(fromGlobalSetUp('E2E_ENVIRONMENT')) as Record<string, string>;

export const ROOT = resolve(import.meta.dirname, '../../../..');

/** Reads a JSON file that `npm start` wrote for the installation. */
export function readKept<Content>(name: string): Content {
  return JSON.parse(readFileSync(resolve(installationEnvironment['SWITCHBOARD_HOME'] ?? '', name), 'utf8')) as Content;
}

/** Settings with which operator commands reach the installation. */
export const operatorEnvironment = readKept<Record<string, string>>('env.json');

const secrets = readKept<{ accessToken: string; appSecret: string }>('secrets.json');

/** Access token of the upstream platform. */
export const upstreamToken = secrets.accessToken;

/** Secret with which the upstream platform signs callbacks. */
export const upstreamAppSecret = secrets.appSecret;

export interface OperatorAnswer {
  exitCode: number;
  /** Parsed JSON of standard output, or of standard error if the command failed. */
  json: Record<string, unknown>;
}

/** Runs `npm run ops -- <words> --json` against the installation under test, as an operator would. */
export function ops(...words: string[]): Promise<OperatorAnswer> {
  return new Promise((done, fail) => {
    const options = { env: { ...process.env, ...installationEnvironment }, cwd: ROOT };
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

/**
 * Runs an operator command that must succeed. Runs it in the process of the global setup, because starting a process
 * takes 2 s.
 */
export function done(...words: string[]): Promise<Record<string, unknown>> {
  return doneWith({}, ...words);
}

/** Runs an operator command like `done`, but allows it to fail. */
export function attempt(...words: string[]): Promise<OperatorAnswer> {
  return done(...words).then(
    (json) => ({ exitCode: 0, json }),
    (error: Error) => ({ exitCode: 1, json: readRefusal(error) }),
  );
}

/** Runs an operator command with other settings. @throws with the output of the command */
export async function doneWith(settings: Record<string, string>, ...words: string[]): Promise<Record<string, unknown>> {
  const response = await fetch(operatorUrl, {
    method: 'POST',
    body: JSON.stringify({ environment: { ...operatorEnvironment, ...settings }, words }),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Record<string, unknown>;
}

/** @throws the error itself unless it reports a rejected command */
function readRefusal(error: Error): Record<string, unknown> {
  const begin = error.message.indexOf('{');
  if (begin < 0) throw error;
  return JSON.parse(error.message.slice(begin)) as Record<string, unknown>;
}
