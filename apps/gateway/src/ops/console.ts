import { type Command, InvalidArgumentError } from 'commander';
import type { Operator } from './operator';

/** What a group of commands is built on. */
export interface Console {
  operator: Operator;
  /** A command below `noun`; its result is printed as JSON or for people. */
  command<Options extends object>(noun: string, verb: string, description: string, spec: CommandSpec<Options>): void;
}

export interface CommandSpec<Options extends object> {
  options(command: Command): Command;
  run(options: Options): Promise<object>;
}

/** For options that may be given again. */
export function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}

/** A parser of whole numbers, `min` or more. */
export function wholeNumber(min: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^[0-9]+$/.test(text) && value >= min && value <= 2_147_483_647) return value;
    throw new InvalidArgumentError(`must be a whole number, at least ${min}`);
  };
}

/** A point in time with its zone. */
export function isoTime(text: string): Date {
  const time = new Date(text);
  if (/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError('must be a time such as 2027-01-31T00:00:00Z');
}
