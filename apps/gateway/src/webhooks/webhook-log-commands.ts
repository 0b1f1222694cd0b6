import { setTimeout as delay } from 'node:timers/promises';
import {
  AppError,
  ListEventsCommand,
  parseBody,
  WEBHOOK_DELIVERY_STATES,
  type WebhookReplayRecord,
} from '@switchboard/contracts';
import { Option } from 'commander';
import { AccountsService } from '../accounts/accounts.service';
import { accountOption, type Console, isoTime, type Paging, wholeNumber } from '../commands/console';
import { kindOption, settingsOf } from './webhook-options';

interface LogOptions extends Paging {
  account: string;
  state?: string;
  kind?: string;
  endpoint?: string;
  since?: Date;
  until?: Date;
  message?: string;
  search?: string;
}

interface ReplayOptions {
  account: string;
  event?: string;
  since?: Date;
  endpoint?: string;
  wait: boolean;
}

const LOOK_EVERY_MS = 1_000;

/** Adds `webhooks log`, `show` and `replay`. */
export function addWebhookLogCommands({ operator, command, note }: Console): void {
  command<LogOptions>('webhooks', 'log', "List an account's events with their delivery states, newest first", {
    options: (verb) =>
      accountOption(verb)
        .option('--limit <n>', 'number of entries, at most 100', wholeNumber(1, 100), 50)
        .option('--cursor <cursor>', 'nextCursor of the previous page')
        .addOption(
          new Option('--state <state>', 'only events with a delivery in this state').choices(WEBHOOK_DELIVERY_STATES),
        )
        .addOption(kindOption('only events of this kind'))
        .option('--endpoint <id>', 'only events with a delivery to this endpoint ID')
        .option('--since <time>', 'only events recorded at or after this time (ISO 8601)', isoTime)
        .option('--until <time>', 'only events recorded before this time (ISO 8601)', isoTime)
        .option('--message <id>', 'only events of this message ID')
        .option('--search <text>', 'event or message ID, or the start of a phone number or template name'),
    run: async ({ account, since, until, endpoint, message, ...filter }) => {
      const { accountId } = await (await operator.get(AccountsService)).requireAccount(account);
      const wanted = {
        ...filter,
        accountId,
        endpointId: endpoint,
        messageId: message,
        since: since?.toISOString(),
        until: until?.toISOString(),
      };
      const { events, nextCursor } = await operator.webhooks.listEvents(parseBody(ListEventsCommand, wanted));
      return { events, nextCursor };
    },
  });
  command<{ account: string; event: string }>(
    'webhooks',
    'show',
    'Show one event with its body, which may contain personal data, its deliveries and attempts',
    {
      options: (verb) => accountOption(verb).requiredOption('--event <id>', 'event ID'),
      run: async ({ account, event: eventId }) => {
        const { accountId } = await (await operator.get(AccountsService)).requireAccount(account);
        return (await operator.webhooks.getEvent({ accountId, eventId })).event;
      },
    },
  );
  command<ReplayOptions>('webhooks', 'replay', 'Deliver one event again, or all events dropped since a time', {
    options: (verb) =>
      accountOption(verb)
        .option('--event <id>', 'event ID')
        .option('--since <time>', 'all events dropped since this time (ISO 8601)', isoTime)
        .option('--endpoint <id>', 'only to this endpoint ID')
        .option('--no-wait', 'do not wait until all are queued again'),
    run: (options) => replay(options),
  });
  command<{ account: string; replay: string }>(
    'webhooks',
    'replay-progress',
    'Show the progress of a replay of dropped events',
    {
      options: (verb) => accountOption(verb).requiredOption('--replay <id>', 'replay ID'),
      run: async ({ account, replay: replayId }) => {
        const { accountId } = await (await operator.get(AccountsService)).requireAccount(account);
        return (await operator.webhooks.getReplay({ accountId, replayId })).replay;
      },
    },
  );

  async function replay({ account, event, since, endpoint, wait }: ReplayOptions): Promise<object> {
    if ((event === undefined) === (since === undefined))
      throw new AppError('MISSING_FIELD', { message: 'give --event or --since' });
    const { settings, by } = await settingsOf(operator, account);
    if (event !== undefined) return { eventId: event, deliveries: await settings.replayEvent(by, event, endpoint) };
    const begun = await settings.replayDropped(by, { since: since?.toISOString() ?? '', endpointId: endpoint });
    return wait ? whenFinished(by.accountId, begun) : begun;
  }

  async function whenFinished(accountId: string, begun: WebhookReplayRecord): Promise<WebhookReplayRecord> {
    let replay = begun;
    while (replay.finishedAt === null) {
      note(`${replay.replayed} of ${replay.total} are in line again\n`);
      await delay(LOOK_EVERY_MS);
      ({ replay } = await operator.webhooks.getReplay({ accountId, replayId: begun.id }));
    }
    return replay;
  }
}
