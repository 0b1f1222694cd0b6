import type { Command } from 'commander';
import { CommanderError } from 'commander';
import { NOUNS } from '../commands/command';
import { EXAMPLES } from '../commands/examples';
import type { Operator } from '../commands/operator';
import { buildProgram } from './program';

/** Thrown in place of a command's work. */
class Reached extends Error {}

const OPERATOR = new Proxy({} as Operator, {
  get: () => () => {
    throw new Reached();
  },
});

let printed = '';
const print = (text: string): void => void (printed += text);
const ask = (): Promise<never> => Promise.reject(new Reached());
const program = (): Command =>
  buildProgram(OPERATOR, {
    out: print,
    err: print,
    line: print,
    secret: ask,
    confirm: ask,
    canAsk: false,
    ask,
    startedAt: 0,
    untilEnded: () => AbortSignal.abort(),
    apiRoutes: () => [],
  });

/** Splits a shell line into words, respecting quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

const run = (...args: string[]): Promise<unknown> =>
  program()
    .parseAsync(args, { from: 'user' })
    .catch((error: unknown) => error);

describe('operator commands', () => {
  beforeEach(() => (printed = ''));

  it.each(Object.entries(EXAMPLES))('accept the documented example of %s', async (words, example) => {
    const outcome = await run(...words.split(' '), ...wordsOf(example));
    expect(outcome).not.toBeInstanceOf(CommanderError);
    expect(printed).not.toContain('error:');
  });

  it('have exactly one example each', () => {
    const words = program().commands.flatMap((noun) =>
      noun.commands.length === 0 ? [noun.name()] : noun.commands.map((verb) => `${noun.name()} ${verb.name()}`),
    );
    expect(Object.keys(EXAMPLES).sort()).toEqual(words.sort());
  });

  it('have descriptions for every noun and command', () => {
    expect(
      program()
        .commands.map((noun) => noun.name())
        .sort(),
    ).toEqual(Object.keys(NOUNS).sort());
  });

  it('report all missing required options together', async () => {
    expect(await run('numbers', 'add', '--waba-id', '1')).toBeInstanceOf(CommanderError);
    expect(printed).toContain(
      'required options are missing: --account <id>, --phone-number <digits>, --phone-number-id <id>\n',
    );
    printed = '';
    await run('keys', 'revoke');
    expect(printed).toContain('a required option is missing: --key <id>\n');
  });

  it('do nothing if a required option is missing', async () => {
    expect(await run('keys', 'revoke')).not.toBeInstanceOf(Reached);
    expect(await run('keys', 'revoke', '--key', 'key_1')).toBeInstanceOf(Reached);
  });

  it('reject an option in place of a value', async () => {
    const outcome = await run('webhooks', 'listen', '--account', '--forward-to', 'http://localhost:8080/hook');
    expect(outcome).toBeInstanceOf(CommanderError);
    expect(printed).toContain("option '--account <id>' argument '--forward-to' is invalid. The option has no value.");
  });

  it('list the options and suggest the nearest one', async () => {
    await run('users', 'list', '--acount', 'acc_1');
    expect(printed).toContain("error: unknown option '--acount'\n(Did you mean --account?)\n");
    expect(printed).toContain('Options of users list: --account <id>, --json\n');
    printed = '';
    await run('doctor', '--verbose');
    expect(printed).toContain('Options of doctor: --json\n');
  });

  it('suggest the nearest command for a typo', async () => {
    await run('nubers', 'list');
    expect(printed).toContain('Did you mean numbers?');
  });
});
