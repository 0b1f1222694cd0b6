import { AppError } from '@switchboard/contracts';
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

interface UserOptions {
  email?: string;
  user?: string;
}

/** Adds the `users` commands for console users. */
export function addUserCommands({ operator, command, secret }: Console): void {
  /** Returns the typed or piped password, or a generated one to be shown. */
  const passwordOf = async (isGiven = false): Promise<{ password: string; shown: { password?: string } }> => {
    if (isGiven) return { password: await secret('Password: '), shown: {} };
    const password = generatePassword();
    return { password, shown: { password } };
  };
  /** @throws AppError NOT_FOUND, INVALID_PARAMETER without a user */
  const userIdOf = async ({ email, user }: UserOptions): Promise<string> => {
    if (user !== undefined) return user;
    if (email !== undefined) return (await (await operator.get(UsersService)).findByEmail(email)).userId;
    throw new AppError('INVALID_PARAMETER', {
      message: 'a required option is missing: --email <address> or --user <id>',
    });
  };
  command<CreateOptions>(
    'users',
    'create',
    'Create a dashboard user of an account; a generated password is shown once',
    {
      options: (verb) =>
        withPassword(verb)
          .requiredOption('--account <id>', 'account ID')
          .requiredOption('--email <address>', 'e-mail address for signing in')
          .requiredOption('--name <name>', 'name of the user')
          .addOption(roleOption().default('viewer')),
      run: async ({ account: accountId, email, name, role, passwordStdin }) => {
        const { password, shown } = await passwordOf(passwordStdin);
        const user = await (await operator.get(UsersService)).createUser(
          { accountId, email, name, role, password },
          operator.actor,
        );
        return { id: user.userId, ...user, ...shown };
      },
    },
  );
  command<{ account: string }>('users', 'list', 'List the dashboard users of an account, oldest first', {
    options: (verb) => verb.requiredOption('--account <id>', 'account ID'),
    run: async ({ account }) => ({ users: await (await operator.get(UsersService)).listUsers(account) }),
  });
  command<UserOptions>('users', 'disable', 'Disable a user and end all sessions of the user', {
    options: userOptions,
    run: async (given) => (await operator.get(UsersService)).disableUser(await userIdOf(given), operator.actor),
  });
  command<UserOptions>('users', 'enable', 'Enable a disabled user', {
    options: userOptions,
    run: async (given) => (await operator.get(UsersService)).enableUser(await userIdOf(given), operator.actor),
  });
  command<UserOptions & { role: Role }>(
    'users',
    'set-role',
    'Change the role of a user, effective from the next request',
    {
      options: (verb) => userOptions(verb).addOption(roleOption().makeOptionMandatory()),
      run: async ({ role, ...given }) =>
        (await operator.get(UsersService)).setRole(await userIdOf(given), role, operator.actor),
    },
  );
  command<UserOptions>(
    'users',
    'reset-second-factor',
    'Remove the second factor of a user who lost it with all recovery codes, and end all sessions; verify first that the user requested it',
    {
      options: userOptions,
      run: async (given) => (await operator.get(UsersService)).resetSecondFactor(await userIdOf(given), operator.actor),
    },
  );
  command<UserOptions & { passwordStdin?: boolean }>(
    'users',
    'reset-password',
    'Set a new password for a user and end all sessions of the user; a generated password is shown once',
    {
      options: (verb) => withPassword(userOptions(verb)),
      run: async ({ passwordStdin, ...given }) => {
        const userId = await userIdOf(given);
        const { password, shown } = await passwordOf(passwordStdin);
        return {
          ...(await (await operator.get(UsersService)).resetPassword(userId, password, operator.actor)),
          ...shown,
        };
      },
    },
  );
}

/** Adds the options that identify a user. An e-mail address has one user in the whole installation. */
function userOptions(verb: Command): Command {
  return verb
    .addOption(new Option('--email <address>', 'e-mail address for signing in').conflicts('user'))
    .option('--user <id>', 'user ID instead of the address (users list)');
}

function withPassword(verb: Command): Command {
  return verb.option(
    '--password-stdin',
    'read the password from standard input or a prompt, instead of generating one',
  );
}

function roleOption(): Option {
  return new Option(
    '--role <role>',
    'viewer: read only; agent: also answer conversations; admin: make changes; owner: also read the audit log',
  ).choices(ROLES);
}
