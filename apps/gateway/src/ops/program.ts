import { Command } from 'commander';
import { addAccountCommands } from './account-commands';
import type { Console } from './console';
import { addDemoCommand } from './demo-command';
import { addKeyCommands } from './key-commands';
import type { Operator } from './operator';
import { type Output, printResult } from './output';
import { addPlanCommands } from './plan-commands';
import { addServiceCommands } from './service-commands';

/** All operator commands. */
export function buildProgram(operator: Operator, out: Output, err: Output): Command {
  const program = new Command('ops').description('Operator commands of Switchboard').exitOverride().configureOutput({ writeOut: out, writeErr: err });
  const nouns = new Map<string, Command>();
  const console: Console = {
    operator,
    command: (noun, verb, description, { options, run }) => {
      const parent = nouns.get(noun) ?? program.command(noun).description(`Commands about ${noun}`);
      nouns.set(noun, parent);
      options(parent.command(verb).description(description))
        .option('--json', 'print JSON')
        .action(async (given: Parameters<typeof run>[0] & { json?: boolean }) => printResult(out, await run(given), given.json === true));
    },
  };
  addAccountCommands(console);
  addKeyCommands(console);
  addPlanCommands(console);
  addServiceCommands(console);
  addDemoCommand(console);
  return program;
}
