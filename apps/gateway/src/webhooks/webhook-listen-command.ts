import { setTimeout as delay } from 'node:timers/promises';
import {
  AppError,
  ListEventsCommand,
  parseBody,
  readUrl,
  type WebhookEventDetail,
  type WebhookEventKind,
  type WebhookEventRecord,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { deliveryHeaders, newWebhookSecret } from '@switchboard/platform';
import { InvalidArgumentError } from 'commander';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { AccountsService } from '../accounts/accounts.service';
import { accountOption, type Console } from '../commands/console';
import type { Operator } from '../commands/operator';
import { kindOption } from './webhook-options';

interface ListenOptions {
  account: string;
  forwardTo?: string;
  kind?: WebhookEventKind;
}

/** Result of forwarding one event to the receiver. */
interface Forwarded {
  status: number | null;
  durationMs: number;
  problem: string | null;
}

const LOOK_EVERY_MS = 500;
/** Timeout of a delivery in milliseconds (spec §11.5.6). */
const FORWARD_MS = 10_000;
/**
 * Overlap between queries in milliseconds. An event is stored shortly after it gets its id, and a replica's clock may
 * be behind.
 */
const LOOK_BACK_MS = 10_000;
const EVENTS_A_PAGE = 100;
/** Maximum events per batch, because their bodies are held in memory. */
const EVENTS_AT_A_TIME = 100;
/** Maximum remembered event ids, more than the overlap can contain. */
const EVENTS_REMEMBERED = 100_000;

export function addWebhookListenCommand(console: Console): void {
  console.command<ListenOptions>(
    'webhooks',
    'listen',
    'Print the events of an account as they happen, and optionally forward them to a URL, signed with a printed secret. Needs no endpoint and does not affect deliveries. Press Ctrl-C to stop',
    {
      options: (verb) =>
        accountOption(verb)
          .option(
            '--forward-to <url>',
            'URL of a receiver, such as http://localhost:8080/hook; without it, events are printed in full',
            url,
          )
          .addOption(kindOption('only events of this kind')),
      run: (options) => listen(console, options),
    },
  );
}

async function listen(console: Console, { account, forwardTo, kind }: ListenOptions): Promise<object> {
  const { operator, line, untilEnded } = console;
  const accounts = await operator.get(AccountsService);
  const dataSource = await operator.get(DataSource);
  const { accountId } = await accounts.requireAccount(account);
  const secret = newWebhookSecret();
  const log = new EventLog(operator, { accountId, kind, startedAt: await databaseTime(dataSource) });
  const ended = untilEnded();
  // Skips events from before the start.
  await log.newEvents();
  if (forwardTo === undefined) line(`listening to ${accountId}`, { listeningTo: accountId });
  else
    line(`listening to ${accountId}, forwarding to ${forwardTo}, signing with ${secret}`, {
      listeningTo: accountId,
      forwardTo,
      secret,
    });
  const counts = { events: 0, accepted: 0, refused: 0 };
  while (!ended.aborted) {
    for (const event of await patiently(() => log.newEvents(), console)) {
      if (ended.aborted) break;
      counts.events += 1;
      if (forwardTo === undefined) {
        line(`${heading(event)}\n${JSON.stringify(JSON.parse(event.body), null, 2)}`, event);
        continue;
      }
      const forwarded = await forward(event, { url: forwardTo, secret, ended });
      counts[forwarded.status === 200 ? 'accepted' : 'refused'] += 1;
      line(`${heading(event)}  ${answerOf(forwarded)}`, { ...event, forwarded });
    }
    await delay(LOOK_EVERY_MS, undefined, { signal: ended }).catch(() => undefined);
  }
  return forwardTo === undefined ? { events: counts.events } : counts;
}

/**
 * Reads the account's events from a time on, each once, oldest first. Follows the times of events rather than a clock,
 * so that a slow receiver, an outage or a wrong clock loses no event.
 */
class EventLog {
  private readonly seen = new LRUCache<string, true>({ max: EVENTS_REMEMBERED });
  private newest: number;

  constructor(
    private readonly operator: Operator,
    private readonly options: { accountId: string; kind?: WebhookEventKind; startedAt: Date },
  ) {
    this.newest = options.startedAt.getTime();
  }

  /** Returns the new events. @throws AppError UNAVAILABLE, after which no event counts as returned */
  async newEvents(): Promise<WebhookEventDetail[]> {
    const found = await this.unseen(new Date(this.newest - LOOK_BACK_MS));
    const { accountId } = this.options;
    const details = await Promise.all(
      found.map(async ({ id }) => (await this.operator.webhooks.getEvent({ accountId, eventId: id })).event),
    );
    for (const { id, createdAt } of found) {
      this.seen.set(id, true);
      this.newest = Math.max(this.newest, Date.parse(createdAt));
    }
    return details;
  }

  /** Returns the oldest unseen events, up to the batch size. */
  private async unseen(since: Date): Promise<WebhookEventRecord[]> {
    const { accountId, kind } = this.options;
    let oldest: WebhookEventRecord[] = [];
    let cursor: string | undefined;
    do {
      const page = { accountId, limit: EVENTS_A_PAGE, kind, since: since.toISOString(), cursor };
      const { events, nextCursor } = await this.operator.webhooks.listEvents(parseBody(ListEventsCommand, page));
      oldest = [...oldest, ...events.filter(({ id }) => !this.seen.has(id))].slice(-EVENTS_AT_A_TIME);
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
    return oldest.reverse();
  }
}

async function databaseTime(dataSource: DataSource): Promise<Date> {
  const [row] = await query<{ now: Date }>(dataSource, 'SELECT clock_timestamp() AS now', []);
  return row?.now ?? new Date();
}

/** Retries after an outage and informs the operator. */
async function patiently<T>(look: () => Promise<T[]>, { note }: Pick<Console, 'note'>): Promise<T[]> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'UNAVAILABLE') throw error;
    note(`${error.message}; looking again\n`);
    return [];
  }
}

async function forward(
  event: WebhookEventDetail,
  { url, secret, ended }: { url: string; secret: string; ended: AbortSignal },
): Promise<Forwarded> {
  const body = Buffer.from(event.body);
  const timestamp = Math.floor(Date.now() / 1_000);
  const startedAt = performance.now();
  const done = (status: number | null, problem: string | null): Forwarded => ({
    status,
    problem,
    durationMs: Math.round(performance.now() - startedAt),
  });
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: deliveryHeaders({ eventId: event.id, attempt: 1, timestamp, body, secret }),
      signal: AbortSignal.any([ended, AbortSignal.timeout(FORWARD_MS)]),
    });
    await answer.body?.cancel();
    return done(answer.status, answer.status === 200 ? null : 'an endpoint must answer 200');
  } catch (error) {
    return done(null, wordsOf(error));
  }
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${FORWARD_MS / 1_000} s`;
  return error.cause instanceof Error ? error.cause.message || String(Reflect.get(error.cause, 'code')) : error.message;
}

function heading({ occurredAt, kind, id, subject }: WebhookEventRecord): string {
  return [occurredAt, kind, id, subject ?? ''].join('  ').trimEnd();
}

function answerOf({ status, durationMs, problem }: Forwarded): string {
  const outcome = status === null ? 'not delivered' : `answered ${status} in ${durationMs} ms`;
  return `-> ${outcome}${problem === null ? '' : `: ${problem}`}`;
}

function url(text: string): string {
  const parsed = readUrl(text);
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return text;
  throw new InvalidArgumentError('must be an http or https URL');
}
