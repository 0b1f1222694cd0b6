import { type Command, InvalidArgumentError } from 'commander';
import type { Operator } from './operator';

/** Dependencies of a group of commands. */
export interface Console {
  operator: Operator;
  apiRoutes(): { method: string; path: string }[];
  /** Width of the terminal in characters; absent if the output is not a terminal. */
  columns?: number | undefined;
  /** Start of the process, on the clock of `performance.now()`. */
  startedAt: number;
  /** Prints progress of a long command, separate from its result. */
  note(text: string): void;
  /** Prints one line of output for a command that runs until stopped, as JSON with `--json`. */
  line(words: string, json: object): void;
  /**
   * Signal that aborts when the operator interrupts a command that runs until stopped. The first call installs the
   * signal handlers.
   */
  untilEnded(): AbortSignal;
  /** Prompts for a password or reads a piped one. @throws AppError INVALID_PARAMETER without input */
  secret(question: string): Promise<string>;
  /**
   * Asks for confirmation at a terminal.
   * @throws AppError INVALID_PARAMETER without a terminal; callers offer `--yes` instead
   */
  confirm(question: string): Promise<boolean>;
  /** True if prompts are possible, at a terminal and without `--json`. */
  canAsk: boolean;
  /** Prompts for a line at a terminal. @returns the trimmed line; empty if the input was closed */
  ask(question: string): Promise<string>;
  /**
   * Adds a command below `noun` and prints its result as text or JSON.
   * @param verb null for a noun that is itself a command
   */
  command<Options extends object>(
    noun: string,
    verb: string | null,
    description: string,
    spec: CommandSpec<Options>,
  ): void;
}

export interface CommandSpec<Options extends object> {
  options(command: Command): Command;
  run(options: Options): Promise<object>;
  /** Explanations of result fields, for the text output. */
  legend?: Readonly<Record<string, string>>;
  /** Renders the text output, for results that the default layout does not suit. */
  text?(result: object): string;
}

/** Collects the values of a repeatable option. */
export function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}

export function accountOption(verb: Command): Command {
  return verb.requiredOption('--account <id>', 'account ID');
}

export interface Paging {
  limit: number;
  cursor?: string;
}

export function paging(command: Command): Command {
  return command
    .option('--limit <n>', 'number of entries, at most 500', wholeNumber(1, 500), 50)
    .option('--cursor <cursor>', 'nextCursor of the previous page', storable);
}

function storable(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new InvalidArgumentError('must be a nextCursor');
}

/** Returns a parser of integers within a range. */
export function wholeNumber(min: number, max = 2_147_483_647): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^[0-9]+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(
      max === 2_147_483_647
        ? `must be a whole number, at least ${min}`
        : `must be a whole number from ${min} to ${max}`,
    );
  };
}

/** Parses a point in time with its zone. */
export function isoTime(text: string): Date {
  const time = new Date(text);
  if (/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError('must be a time such as 2027-01-31T00:00:00Z');
}
