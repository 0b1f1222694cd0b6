import { types } from 'node:util';
import { CommanderError } from 'commander';
import { AppError } from '@switchboard/contracts';
import { toAppError } from '../http/framework-errors';
import type { readCliSettings } from '../config';
import { openOperator } from './open-operator';
import { type Output, printable } from '../commands/output';
import { readSecret, type SecretInput } from '../commands/secret-input';
import { askLine, askYes } from '../commands/confirmation';
import { buildProgram } from './program';
import { Unfinished } from '../commands/unfinished';

export interface OpsEnvironment {
  settings: ReturnType<typeof readCliSettings>;
  /** Actor recorded in the audit log. */
  actor: string;
  out: Output;
  err: Output;
  /** Source of passwords, which may be typed or piped. */
  input: SecretInput;
  /** Signal that aborts when the operator interrupts the command. Only commands that run until stopped call this. */
  untilEnded(): AbortSignal;
  apiRoutes(): { method: string; path: string }[];
  /** Width of the terminal in characters; absent if the output is not a terminal. */
  columns?: number | undefined;
  /** Start of the process, on the clock of `performance.now()`; defaults to now. */
  startedAt?: number;
}

/**
 * Runs one operator command.
 * @param args arguments without the program name
 * @returns the exit code: 0, or 1 with the reason on standard error
 */
export async function runCli(
  args: string[],
  {
    settings,
    actor,
    input,
    apiRoutes,
    untilEnded,
    columns,
    startedAt = performance.now(),
    ...terminal
  }: OpsEnvironment,
): Promise<number> {
  const out: Output = (text) => terminal.out(printable(text));
  const err: Output = (text) => terminal.err(printable(text));
  const json = args.includes('--json');
  const tell: Output = json ? () => undefined : err;
  const operator = openOperator(settings, actor, tell);
  const program = buildProgram(operator, {
    out,
    err: tell,
    secret: (question) => readSecret(question, input, err),
    confirm: (question) => askYes(question, input, err),
    canAsk: input.isTTY === true && !json,
    ask: (question) => askLine(question, input, err),
    line: (words, fields) => out(`${json ? JSON.stringify(fields) : words}\n`),
    apiRoutes,
    columns,
    startedAt,
    untilEnded,
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    // Commander has already printed its message, unless with --json.
    if (!(error instanceof CommanderError) || json) err(complaintOf(error, json));
    return 1;
  } finally {
    await operator.close();
  }
}

function complaintOf(thrown: unknown, json: boolean): string {
  const error =
    thrown instanceof CommanderError
      ? new AppError('INVALID_PARAMETER', { message: thrown.message.replace(/^error: /, '') })
      : explained(toAppError(thrown));
  const unfinished = thrown instanceof Unfinished ? thrown.result : {};
  return json
    ? `${JSON.stringify({ success: false, message: error.message, code: error.code, ...unfinished })}\n`
    : `error: ${error.message} (${error.code})\n`;
}

/** Adds the cause to the message. Operators may read causes; the public API never returns them. */
function explained(error: AppError): AppError {
  if (!types.isNativeError(error.cause)) return error;
  const reason = error.cause.message || ('code' in error.cause ? String(error.cause.code) : error.cause.name);
  const advice = error.message === new AppError('UNAVAILABLE').message ? '. Run doctor: it reports what is away' : '';
  return new AppError(error.code, { message: `${error.message}: ${reason}${advice}`, cause: error.cause });
}
