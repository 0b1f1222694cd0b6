import { AppError } from '@switchboard/contracts';
import { type KeyChange, KeysService } from './keys.service';
import { requireRoutes } from './route-rules';
import { collect, type Console, isoTime, wholeNumber } from '../commands/console';

interface CreateOptions {
  account: string;
  name: string;
  ip: string[];
  route: string[];
  expires?: Date;
}

interface SetOptions {
  key: string;
  ip: string[];
  anyIp?: boolean;
  route: string[];
  anyRoute?: boolean;
  expires?: Date;
  neverExpires?: boolean;
}

export function addKeyCommands({ operator, command, apiRoutes }: Console): void {
  command<CreateOptions>('keys', 'create', 'Create an API key, which is shown once', {
    options: (verb) =>
      verb
        .requiredOption('--account <id>', 'account ID')
        .requiredOption('--name <name>', 'name of the key, such as its purpose')
        .option('--ip <range>', 'IP address or CIDR range that may use the key; repeatable', collect, [])
        .option('--route <route>', "route the key may call, such as 'GET /v1/messages'; repeatable", collect, [])
        .option('--expires <time>', 'expiry in ISO 8601', isoTime),
    run: async ({ account: accountId, name, ip, route, expires }) => {
      requireRoutes(route, apiRoutes());
      requireFuture(expires);
      const keys = await operator.get(KeysService);
      const key = { accountId, name, allowedIps: ip, allowedRoutes: route, expiresAt: expires };
      const { apiKey, record } = await keys.createKey(key, operator.actor);
      return { id: record.keyId, apiKey, ...record };
    },
  });
  command<{ account: string }>('keys', 'list', "List an account's keys", {
    options: (verb) => verb.requiredOption('--account <id>', 'account ID'),
    run: async ({ account }) => ({ keys: await (await operator.get(KeysService)).listKeys(account) }),
  });
  command<{ key: string; overlapHours: number }>(
    'keys',
    'rotate',
    'Rotate a key: create a new one; the old one keeps working for a while',
    {
      options: (verb) =>
        verb
          .requiredOption('--key <id>', 'ID of the old key (keys list)')
          .option(
            '--overlap-hours <n>',
            'hours during which both keys work; 0 revokes the old one immediately',
            wholeNumber(0, 8_760),
            24,
          ),
      run: async ({ key, overlapHours }) => {
        const { apiKey, record, replaced } = await (await operator.get(KeysService)).rotateKey(
          { keyId: key },
          overlapHours,
          operator.actor,
        );
        return {
          id: record.keyId,
          apiKey,
          ...record,
          replacedKeyId: replaced.keyId,
          replacedEndsAt: replaced.expiresAt,
        };
      },
    },
  );
  command<SetOptions>('keys', 'set', 'Change the restrictions of a key; absent options stay unchanged', {
    options: (verb) =>
      verb
        .requiredOption('--key <id>', 'key ID (keys list)')
        .option('--ip <range>', 'IP address or CIDR range; repeatable; replaces the current list', collect, [])
        .option('--any-ip', 'allow all addresses')
        .option('--route <route>', 'route the key may call; repeatable; replaces the current list', collect, [])
        .option('--any-route', 'allow all routes')
        .option('--expires <time>', 'expiry in ISO 8601', isoTime)
        .option('--never-expires', 'remove the expiry'),
    run: async (options) => {
      requireRoutes(options.route, apiRoutes());
      requireFuture(options.expires);
      const keys = await operator.get(KeysService);
      return { ...(await keys.setKey({ keyId: options.key }, changeOf(options), operator.actor)) };
    },
  });
  command<{ key: string }>('keys', 'revoke', 'Revoke a key immediately', {
    options: (verb) => verb.requiredOption('--key <id>', 'key ID (keys list)'),
    run: async ({ key }) => ({
      ...(await (await operator.get(KeysService)).revokeKey({ keyId: key }, operator.actor)),
    }),
  });
}

/** @throws AppError INVALID_VALUE for a time in the past */
function requireFuture(expires: Date | undefined): void {
  if (expires === undefined || expires.getTime() > Date.now()) return;
  throw new AppError('INVALID_VALUE', { message: '--expires must be in the future; keys revoke ends a key now' });
}

/** @throws AppError for contradicting options or none */
function changeOf({ ip, anyIp, route, anyRoute, expires, neverExpires }: SetOptions): KeyChange {
  const change = {
    allowedIps: oneOf('--ip', ip.length > 0 ? ip : undefined, anyIp && []),
    allowedRoutes: oneOf('--route', route.length > 0 ? route : undefined, anyRoute && []),
    expiresAt: oneOf('--expires', expires, neverExpires && null),
  };
  if (Object.values(change).every((value) => value === undefined))
    throw new AppError('MISSING_FIELD', { message: 'give at least one field to change' });
  return change;
}

function oneOf<Given, Opposite>(
  option: string,
  given: Given | undefined,
  opposite: Opposite | false | undefined,
): Given | Opposite | undefined {
  if (opposite === undefined || opposite === false) return given;
  if (given !== undefined)
    throw new AppError('INVALID_PARAMETER', { message: `${option} and its opposite cannot both be given` });
  return opposite;
}
