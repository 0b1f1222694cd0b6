import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fromGlobalSetUp } from './demo';

export { demo, type Demo } from './demo';

export const collectorUrl = fromGlobalSetUp('E2E_COLLECTOR_URL');

const operatorUrl = fromGlobalSetUp('E2E_OPERATOR_URL');

/** Names the installation under test to the programs of `npm run`. */
export const installationEnvironment = JSON.parse(fromGlobalSetUp('E2E_ENVIRONMENT')) as Record<string, string>;

/** Of the checkout. */
export const ROOT = resolve(import.meta.dirname, '../../../..');

/** What `npm start` keeps in a file of the installation. */
export function readKept<Content>(name: string): Content {
  return JSON.parse(readFileSync(resolve(installationEnvironment['SWITCHBOARD_HOME'] ?? '', name), 'utf8')) as Content;
}

/** What the operator's command needs to reach the installation. */
export const operatorEnvironment = readKept<Record<string, string>>('env.json');

const secrets = readKept<{ accessToken: string; appSecret: string }>('secrets.json');

/** What the upstream platform takes as credentials. */
export const upstreamToken = secrets.accessToken;

/** What the upstream platform signs its callbacks with. */
export const upstreamAppSecret = secrets.appSecret;

export interface OperatorAnswer {
  exitCode: number;
  /** The parsed JSON of standard output, or of standard error when the command failed. */
  json: Record<string, unknown>;
}

/** Runs `npm run ops -- <words> --json` against the installation under test, as an operator does. */
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

/** Runs an operator's command that must succeed, in the process of the global set-up: to start one takes 2 s. */
export function done(...words: string[]): Promise<Record<string, unknown>> {
  return doneWith({}, ...words);
}

/** The same for a command that may be refused. */
export function attempt(...words: string[]): Promise<OperatorAnswer> {
  return done(...words).then(
    (json) => ({ exitCode: 0, json }),
    (error: Error) => ({ exitCode: 1, json: readRefusal(error) }),
  );
}

/** Runs one operator's command with other settings. @throws with what the command printed */
export async function doneWith(settings: Record<string, string>, ...words: string[]): Promise<Record<string, unknown>> {
  const response = await fetch(operatorUrl, {
    method: 'POST',
    body: JSON.stringify({ environment: { ...operatorEnvironment, ...settings }, words }),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Record<string, unknown>;
}

/** @throws the error itself when it tells of no refusal */
function readRefusal(error: Error): Record<string, unknown> {
  const begin = error.message.indexOf('{');
  if (begin < 0) throw error;
  return JSON.parse(error.message.slice(begin)) as Record<string, unknown>;
}
