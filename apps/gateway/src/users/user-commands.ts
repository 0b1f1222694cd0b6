import { type Command, Option } from 'commander';
import { UsersService } from './users.service';
import { generatePassword } from './passwords';
import { type Role, ROLES } from '../request-context/roles';
import type { Console } from '../commands/console';

interface CreateOptions {
  account: string;
  email: string;
  name: string;
  role: Role;
  passwordStdin?: boolean;
}

/** `users`: who may sign in to an account's console. */
export function addUserCommands({ operator, command, secret }: Console): void {
  /** The password that was typed or piped in, else a new one, which is shown. */
  const passwordOf = async (isGiven = false): Promise<{ password: string; shown: { password?: string } }> => {
    if (isGiven) return { password: await secret('Password: '), shown: {} };
    const password = generatePassword();
    return { password, shown: { password } };
  };
  command<CreateOptions>('users', 'create', "Add a user of an account's console; a generated password is shown once", {
    options: (verb) =>
      withPassword(verb)
        .requiredOption('--account <id>', 'the account')
        .requiredOption('--email <address>', 'the e-mail address for signing in')
        .requiredOption('--name <name>', "the user's name")
        .addOption(roleOption().default('viewer')),
    run: async ({ account: accountId, email, name, role, passwordStdin }) => {
      const { password, shown } = await passwordOf(passwordStdin);
      const user = await (await operator.get(UsersService)).createUser(
        { accountId, email, name, role, password },
        operator.actor,
      );
      return { id: user.userId, ...user, ...shown };
    },
  });
  command<{ account: string }>('users', 'list', "List the users of an account's console, the oldest first", {
    options: (verb) => verb.requiredOption('--account <id>', 'the account'),
    run: async ({ account }) => ({ users: await (await operator.get(UsersService)).listUsers(account) }),
  });
  command<{ user: string }>('users', 'disable', "Disable a user and end all of the user's sessions", {
    options: userOption,
    run: async ({ user }) => (await operator.get(UsersService)).disableUser(user, operator.actor),
  });
  command<{ user: string }>('users', 'enable', 'Let a disabled user in again', {
    options: userOption,
    run: async ({ user }) => (await operator.get(UsersService)).enableUser(user, operator.actor),
  });
  command<{ user: string; role: Role }>('users', 'set-role', 'Change what a user may do, from their next request on', {
    options: (verb) => userOption(verb).addOption(roleOption().makeOptionMandatory()),
    run: async ({ user, role }) => (await operator.get(UsersService)).setRole(user, role, operator.actor),
  });
  command<{ email: string }>(
    'users',
    'reset-second-factor',
    "Remove the second factor of a user who lost it with all recovery codes, and end all of the user's sessions",
    {
      options: (verb) =>
        verb.requiredOption(
          '--email <address>',
          'the e-mail address for signing in; make sure that the user asks for this',
        ),
      run: async ({ email }) => (await operator.get(UsersService)).resetSecondFactor(email, operator.actor),
    },
  );
  command<{ user: string; passwordStdin?: boolean }>(
    'users',
    'reset-password',
    "Set a new password for a user and end all of the user's sessions; a generated password is shown once",
    {
      options: (verb) => withPassword(userOption(verb)),
      run: async ({ user, passwordStdin }) => {
        const { password, shown } = await passwordOf(passwordStdin);
        return {
          ...(await (await operator.get(UsersService)).resetPassword(user, password, operator.actor)),
          ...shown,
        };
      },
    },
  );
}

function userOption(verb: Command): Command {
  return verb.requiredOption('--user <id>', 'the user (users list)');
}

function withPassword(verb: Command): Command {
  return verb.option(
    '--password-stdin',
    'take the password from standard input, or ask for it on a terminal, instead of generating one',
  );
}

function roleOption(): Option {
  return new Option('--role <role>', 'viewer sees, admin changes, owner also reads the audit log').choices(ROLES);
}
