import { collect, type Console, isoTime } from './console';

interface CreateOptions {
  account: string;
  name: string;
  ip: string[];
  route: string[];
  expires?: Date;
}

/** `keys`. */
export function addKeyCommands({ operator, command }: Console): void {
  command<CreateOptions>('keys', 'create', 'Issue an API key; it is shown this once', {
    options: (verb) =>
      verb
        .requiredOption('--account <id>', 'the account')
        .requiredOption('--name <name>', 'what the key is for')
        .option('--ip <range>', 'an address or CIDR range that may use the key; may be given again', collect, [])
        .option('--route <route>', "a route it may call, such as 'GET /v1/messages'; may be given again", collect, [])
        .option('--expires <time>', 'ISO time at which it ends', isoTime),
    run: async ({ account: accountId, name, ip, route, expires }) => {
      const { keys } = await operator.database();
      const key = { accountId, name, allowedIps: ip, allowedRoutes: route, expiresAt: expires };
      const { apiKey, record } = await keys.createKey(key, operator.actor);
      return { id: record.keyId, apiKey, ...record };
    },
  });
  command<{ account: string }>('keys', 'list', "List an account's keys", {
    options: (verb) => verb.requiredOption('--account <id>', 'the account'),
    run: async ({ account }) => ({ keys: await (await operator.database()).keys.listKeys(account) }),
  });
  command<{ key: string }>('keys', 'revoke', 'End a key at once', {
    options: (verb) => verb.requiredOption('--key <id>', 'the key, by its id (keys list)'),
    run: async ({ key }) => ({ ...(await (await operator.database()).keys.revokeKey(key, operator.actor)) }),
  });
}
