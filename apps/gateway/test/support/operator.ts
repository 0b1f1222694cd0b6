import { PassThrough, Readable } from 'node:stream';
import { SecretBox } from '@switchboard/platform';
import { TEST_ENCRYPTION_KEY } from '@switchboard/testing';
import { runCli } from '../../src/cli/run';
import type { SecretInput } from '../../src/commands/secret-input';
import { apiRoutes } from '../../src/reference/api-routes';
import type { GatewayUnderTest } from './gateway';

/** Secret box shared by the gateway and the operator CLI. */
export const testBox = new SecretBox({ ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** Operator CLI connected to the database and broker of a gateway. */
export interface OperatorUnderTest {
  /** Runs a command. @param input piped lines @param ended signal that stops a command that runs until stopped */
  run(args: string[], overrides?: Record<string, string>, input?: string[], ended?: AbortSignal): Promise<Ran>;
  /** Runs a command at a terminal. @param answers typed lines, by the start of their prompt */
  runAtTerminal(args: string[], answers: Record<string, string>, overrides?: Record<string, string>): Promise<Ran>;
  /** Runs a command with --json, which must succeed. @returns its output */
  json<T = Record<string, string>>(...args: string[]): Promise<T>;
}

export function operatorOn({
  config: { DATABASE_URL, RABBITMQ_URL, BROKER_NAMESPACE, COMMAND_QUEUES },
}: GatewayUnderTest): OperatorUnderTest {
  const runWith = async (
    args: string[],
    overrides: Record<string, string>,
    { input, ended, onPrinted }: { input: SecretInput; ended: AbortSignal; onPrinted?(text: string): void },
  ): Promise<Ran> => {
    const config = {
      DATABASE_URL,
      RABBITMQ_URL,
      BROKER_NAMESPACE,
      COMMAND_QUEUES,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      ENCRYPTION_KEY_PREVIOUS: undefined,
    };
    const tokens = { UPSTREAM_ACCESS_TOKEN: 'upstream-token-1', SIMULATOR_ACCESS_TOKEN: 'simulator-token-1' };
    const broker = { RABBITMQ_ADMIN_URL: undefined, RABBITMQ_MANAGEMENT_URL: undefined };
    const upstream = {
      UPSTREAM_NUMBER_PIN: undefined,
      WEBHOOK_VERIFY_TOKEN: undefined,
      UPSTREAM_APP_SECRET: 'app-secret',
      PUBLIC_BASE_URL: undefined,
      SIMULATOR_PAGE_URL: undefined,
      SETTINGS_FILE: undefined,
    };
    const ran = { out: '', err: '' };
    const code = await runCli(args, {
      settings: { config: { ...config, ...tokens, ...broker, ...upstream, ...overrides } },
      actor: 'cli:tester',
      out: (text) => (ran.out += text),
      err: (text) => {
        ran.err += text;
        onPrinted?.(text);
      },
      input,
      apiRoutes,
      untilEnded: () => ended,
    });
    return { code, ...ran };
  };
  const run: OperatorUnderTest['run'] = (args, overrides = {}, input = [], ended = AbortSignal.abort()) =>
    runWith(args, overrides, { input: Readable.from(input), ended });
  const runAtTerminal: OperatorUnderTest['runAtTerminal'] = (args, answers, overrides = {}) => {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const onPrinted = (text: string): void => {
      const question = Object.keys(answers).find((beginning) => text.startsWith(beginning));
      if (question !== undefined) setImmediate(() => input.write(`${answers[question]}\n`));
    };
    return runWith(args, overrides, { input, ended: AbortSignal.abort(), onPrinted });
  };
  const json = async <T>(...args: string[]): Promise<T> => {
    const { code, out, err } = await run([...args, '--json']);
    expect([code, err]).toEqual([0, '']);
    const result = JSON.parse(out) as T & { success: boolean };
    expect(result.success).toBe(true);
    return result;
  };
  return { run, runAtTerminal, json };
}
