import { Command } from 'commander';
import { addAccountCommands } from '../accounts/account-commands';
import { addAuditCommands } from '../audit-log/audit-commands';
import { finishCommand, NOUNS } from '../commands/command';
import type { Console } from '../commands/console';
import { addContactCommands } from '../contacts/contact-commands';
import { addCreditCommands } from '../accounts/credit-commands';
import { addDeadLetterCommands } from './dead-letter-commands';
import { addDemoCommand } from './demo-command';
import { addDoctorCommand } from './doctor-command';
import { addJobCommands } from '../jobs/job-commands';
import { addKeyCommands } from '../api-keys/key-commands';
import { addMessageCommands } from '../messages/message-commands';
import { addNumberCheckCommand } from '../numbers/number-check-command';
import { addNumberCommands } from '../numbers/number-commands';
import { addNumberConnectCommand } from '../numbers/number-connect-command';
import type { Operator } from '../commands/operator';
import { type Output, printResult } from '../commands/output';
import { addOtpCommands } from '../otp/otp-commands';
import { addPlanCommands } from '../accounts/plan-commands';
import { addQueueCommands } from './queue-commands';
import { addRateCommands } from '../rates/rate-commands';
import { addSpendCapCommands } from '../spend-caps/spend-cap-commands';
import { addRetentionCommands } from '../settings/retention-commands';
import { addSecretCommands } from './secret-commands';
import { addServiceCommands } from '../numbers/number-add-command';
import { addSettingsCommands } from '../settings/settings-commands';
import { addSetupCommand } from './setup-command';
import { addTemplateCommands } from '../templates/template-commands';
import { Unfinished } from '../commands/unfinished';
import { addUserCommands } from '../users/user-commands';
import { addWebhookCommands } from '../webhooks/webhook-commands';

/** Terminal for output and for prompts of secrets, which must not appear on the command line. */
export interface Terminal
  extends Pick<
    Console,
    'apiRoutes' | 'secret' | 'confirm' | 'canAsk' | 'ask' | 'line' | 'columns' | 'startedAt' | 'untilEnded'
  > {
  out: Output;
  err: Output;
}

/** Builds the program with all operator commands. */
export function buildProgram(operator: Operator, { out, err, ...terminal }: Terminal): Command {
  const program = new Command('ops')
    .description('Operator commands of Switchboard. `ops <command> --help` shows the options and an example.')
    .helpCommand(false)
    .showHelpAfterError('Add --help to see the options and an example.')
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: err });
  const nouns = new Map<string, Command>();
  const console: Console = {
    operator,
    note: err,
    ...terminal,
    command: (noun, verb, description, { options, run, legend, text }) => {
      const parent =
        nouns.get(noun) ??
        program
          .command(noun)
          .description(NOUNS[noun] ?? '')
          .helpCommand(false);
      nouns.set(noun, parent);
      const words = verb === null ? noun : `${noun} ${verb}`;
      const described = options((verb === null ? parent : parent.command(verb)).description(description));
      finishCommand<Parameters<typeof run>[0]>(described, words, async ({ json, ...given }) => {
        const print = (result: object): void =>
          json || !text ? printResult(out, result, { json: json === true, legend }) : out(text(result));
        try {
          print(await run(given as Parameters<typeof run>[0]));
        } catch (error) {
          // With --json, the error itself contains the partial result.
          if (error instanceof Unfinished && !json) print(error.result);
          throw error;
        }
      });
    },
  };
  addAccountCommands(console);
  addKeyCommands(console);
  addCreditCommands(console);
  addPlanCommands(console);
  addServiceCommands(console);
  addNumberCommands(console);
  addNumberConnectCommand(console);
  addNumberCheckCommand(console);
  addJobCommands(console);
  addMessageCommands(console);
  addSettingsCommands(console);
  addTemplateCommands(console);
  addOtpCommands(console);
  addUserCommands(console);
  addWebhookCommands(console);
  addDeadLetterCommands(console);
  addQueueCommands(console);
  addContactCommands(console);
  addRateCommands(console);
  addSpendCapCommands(console);
  addRetentionCommands(console);
  addSecretCommands(console);
  addAuditCommands(console);
  addDemoCommand(console);
  addDoctorCommand(console);
  addSetupCommand(console);
  return program;
}
