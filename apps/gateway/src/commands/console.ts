import { type Command, InvalidArgumentError } from 'commander';
import type { Operator } from './operator';

/** What a group of commands is built on. */
export interface Console {
  operator: Operator;
  /** The routes that an API key can call. */
  apiRoutes(): { method: string; path: string }[];
  /** Width of the terminal in characters; absent when the output goes elsewhere. */
  columns?: number | undefined;
  /** Start of the process, on the clock of `performance.now()`. */
  startedAt: number;
  /** Tells how far a long command has come, apart from its result. */
  note(text: string): void;
  /** Prints a line of the result of a command that goes on and on; as JSON when the caller wants that. */
  line(words: string, json: object): void;
  /** Fires when the operator ends a command that goes on and on. The first call takes the signals over. */
  untilEnded(): AbortSignal;
  /** Asks for a password, or takes the one that is piped in. @throws AppError INVALID_PARAMETER when there is none */
  secret(question: string): Promise<string>;
  /**
   * Asks for a yes on a terminal.
   * @throws AppError INVALID_PARAMETER when there is no terminal: the caller has an option for that, `--yes`
   */
  confirm(question: string): Promise<boolean>;
  /** Whether questions can be asked: a terminal is there, and the caller is no program (`--json`). */
  canAsk: boolean;
  /** Asks for a line at a terminal. @returns the answer without blanks around it; empty when there was none */
  ask(question: string): Promise<string>;
  /**
   * A command below `noun`; its result is printed as JSON or for people.
   * @param verb null for a noun that is a command itself
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
  /** Explains fields of the result to people. */
  legend?: Readonly<Record<string, string>>;
  /** Renders the result for people, where its fields and rows would not do. */
  text?(result: object): string;
}

/** For options that can be repeated. */
export function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}

export function accountOption(verb: Command): Command {
  return verb.requiredOption('--account <id>', 'the account');
}

/** A page of a list. */
export interface Paging {
  limit: number;
  cursor?: string;
}

/** The options of a list. */
export function paging(command: Command): Command {
  return command
    .option('--limit <n>', 'number of entries, at most 500', wholeNumber(1, 500), 50)
    .option('--cursor <cursor>', 'nextCursor of the page before', storable);
}

/** PostgreSQL holds no NUL characters. */
function storable(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new InvalidArgumentError('must be a nextCursor');
}

/** A parser of whole numbers in a range. */
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

/** A point in time with its zone. */
export function isoTime(text: string): Date {
  const time = new Date(text);
  if (/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError('must be a time such as 2027-01-31T00:00:00Z');
}
