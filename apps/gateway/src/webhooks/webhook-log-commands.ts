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
  command<LogOptions>(
    'webhooks',
    'log',
    "List an account's events with the state of their deliveries, the newest first",
    {
      options: (verb) =>
        accountOption(verb)
          .option('--limit <n>', 'number of entries, at most 100', wholeNumber(1, 100), 50)
          .option('--cursor <cursor>', 'nextCursor of the page before')
          .addOption(
            new Option('--state <state>', 'only with a delivery in this state').choices(WEBHOOK_DELIVERY_STATES),
          )
          .addOption(kindOption('only of this kind'))
          .option('--endpoint <id>', 'only with a delivery to this endpoint')
          .option('--since <time>', 'only recorded at or after this ISO time', isoTime)
          .option('--until <time>', 'only recorded before this ISO time', isoTime)
          .option('--message <id>', 'only this message')
          .option(
            '--search <text>',
            "an event's or message's id, or the beginning of a phone number or of a template's name",
          ),
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
    },
  );
  command<{ account: string; event: string }>(
    'webhooks',
    'show',
    'Show one event: its body, which may be personal, its deliveries and every attempt',
    {
      options: (verb) => accountOption(verb).requiredOption('--event <id>', 'the event'),
      run: async ({ account, event: eventId }) => {
        const { accountId } = await (await operator.get(AccountsService)).requireAccount(account);
        return (await operator.webhooks.getEvent({ accountId, eventId })).event;
      },
    },
  );
  command<ReplayOptions>('webhooks', 'replay', 'Deliver one event again, or all that was dropped since a time', {
    options: (verb) =>
      accountOption(verb)
        .option('--event <id>', 'this event')
        .option('--since <time>', 'all events dropped since this ISO time', isoTime)
        .option('--endpoint <id>', 'only to this endpoint')
        .option('--no-wait', 'do not wait until all are in line again'),
    run: (options) => replay(options),
  });
  command<{ account: string; replay: string }>(
    'webhooks',
    'replay-progress',
    'Show the progress of a replay of dropped events',
    {
      options: (verb) => accountOption(verb).requiredOption('--replay <id>', 'the replay'),
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
