import { type Command, InvalidArgumentError, type Option } from 'commander';
import { EXAMPLES } from './examples';

/** Descriptions of the nouns, in the order of the help. */
export const NOUNS: Readonly<Record<string, string>> = {
  accounts: 'Customer accounts, their plans and overrides',
  keys: 'API keys of an account',
  credits: 'Credits of an account and their ledger',
  plans: 'Plans with their limits and features',
  numbers: 'Business numbers of an account',
  jobs: 'Bulk jobs of an account',
  messages: 'History of one message',
  settings: 'Service window policy and opt-out words of an account',
  templates: 'Templates of an account and their review',
  otp: 'One-time passwords of an account',
  users: "Users of an account's dashboard",
  webhooks: 'Webhook endpoints of an account and their delivery log',
  'dead-letters': 'Messages between services that no service could handle',
  queues: 'Queues of contracts that no longer exist',
  contacts: 'Contacts of an account: opt-outs and erasure',
  caps: 'Spend cap of an account per month',
  rates: 'Rate card of the installation',
  retention: 'Data retention',
  secrets: 'Stored secrets and the encryption key',
  audit: 'Audit log of changes',
  demo: 'Trial accounts on the simulator',
  doctor: 'Diagnosis of this installation',
  setup: 'Set-up of the first account, up to its first message',
};

/**
 * Finishes a command whose options and arguments are declared: marks required ones, adds `--json`, and appends the
 * example to the help. Usage errors list the options. All missing options are reported together, whereas commander
 * reports only the first.
 * @param words words of the command, such as `webhooks log`
 * @param run receives options and arguments by name, once all required ones are present
 */
export function finishCommand<Options extends object>(
  verb: Command,
  words: string,
  run: (options: Options & { json?: boolean }) => Promise<void>,
): void {
  const required = verb.options.filter(({ mandatory }) => mandatory);
  for (const option of required) {
    option.makeOptionMandatory(false);
    option.description = `${option.description} (required)`;
  }
  for (const option of verb.options) if (option.required) refuseOptionsAsValue(option, verb);
  // Hides "(default: [])" in the help. The declared default still applies.
  for (const option of verb.options) if (Array.isArray(option.defaultValue)) option.defaultValue = undefined;
  const example = EXAMPLES[words];
  if (example === undefined) throw new Error(`examples.ts has no example of ${words}`);
  verb.option('--json', 'print JSON');
  const flags = verb.options.map((option) => option.flags).join(', ');
  verb
    .showHelpAfterError(`Options of ${words}: ${flags}\nAdd --help to see what they do, with an example.`)
    .addHelpText('after', `\nExample:\n  ops ${`${words} ${example}`.trimEnd()}`)
    .action(async () => {
      const words = verb.registeredArguments.map((argument, index) => [argument.name(), verb.processedArgs[index]]);
      const given = { ...verb.opts(), ...Object.fromEntries(words) } as Options & { json?: boolean };
      const missing = required.filter((option) => verb.getOptionValue(option.attributeName()) === undefined);
      if (missing.length > 0)
        verb.error(
          `error: ${missing.length === 1 ? 'a required option is missing' : 'required options are missing'}: ${missing.map(({ flags }) => flags).join(', ')}`,
          { code: 'commander.missingMandatoryOptionValue' },
        );
      await run(given);
    });
}

/**
 * Rejects an option in place of a value, which commander would accept, for example after `--account $ACCOUNT` with an
 * empty variable.
 */
function refuseOptionsAsValue(option: Option, verb: Command): void {
  const parse = option.parseArg;
  option.argParser((value, previous) => {
    if (verb.options.some(({ long }) => long === value))
      throw new InvalidArgumentError('The option has no value. Is a variable of the shell empty?');
    return parse ? parse(value, previous) : value;
  });
}

/**
 * Returns the help of the program, under an empty key, and of each command by its words. `ops.ts` prints it without
 * loading the commands.
 */
export function helpTexts(program: Command): Record<string, string> {
  const texts: Record<string, string> = {};
  const visit = (command: Command, words: string[]): void => {
    texts[words.join(' ')] = helpOf(command);
    for (const child of command.commands) visit(child, [...words, child.name()]);
  };
  visit(program, []);
  return texts;
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 100 });
  command.outputHelp();
  return text;
}
