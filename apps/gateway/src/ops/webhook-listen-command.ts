import { setTimeout as delay } from 'node:timers/promises';
import {
  AppError,
  getEventV1,
  listEventsV1,
  parseBody,
  readUrl,
  type WebhookEventKind,
  type WebhookEventRecord,
} from '@switchboard/contracts';
import { deliveryHeaders, newWebhookSecret } from '@switchboard/platform';
import { InvalidArgumentError } from 'commander';
import { LRUCache } from 'lru-cache';
import type { Console } from './console';
import type { Operator } from './operator';
import { accountOption, kindOption } from './webhook-options';

interface ListenOptions {
  account: string;
  forwardTo?: string;
  secret?: string;
  kind?: WebhookEventKind;
}

/** What became of one event at the receiver. */
interface Forwarded {
  status: number | null;
  durationMs: number;
  problem: string | null;
}

const LOOK_EVERY_MS = 500;
/** Spec §11.5: what a delivery has. */
const FORWARD_MS = 10_000;
/** An event is stored a little after it got its id, and a replica's clock may be a little behind. */
const LOOK_BACK_MS = 10_000;
const EVENTS_A_PAGE = 100;
/** More than come within the time that is looked back. */
const EVENTS_REMEMBERED = 100_000;

/** `webhooks listen`. */
export function addWebhookListenCommand(console: Console): void {
  console.command<ListenOptions>(
    'webhooks',
    'listen',
    'Print the events of an account as they happen, and forward each to a URL, signed as a delivery is. No endpoint is needed, and none gets less. Ctrl-C ends it',
    {
      options: (verb) =>
        accountOption(verb)
          .option(
            '--forward-to <url>',
            'a receiver, such as http://localhost:8080/hook; without one, events are printed in full',
            url,
          )
          .option('--secret <whsec>', 'the secret that signs; without one, the command makes one and prints it', secret)
          .addOption(kindOption('only of this kind')),
      run: (options) => listen(console, options),
    },
  );
}

async function listen(console: Console, { account, forwardTo, secret: given, kind }: ListenOptions): Promise<object> {
  const { operator, note, line, untilEnded } = console;
  const { accountId } = await (await operator.database()).accounts.requireAccount(account);
  const signingSecret = given ?? newWebhookSecret();
  const ended = untilEnded();
  const seen = new LRUCache<string, true>({ max: EVENTS_REMEMBERED });
  const look = (since: Date): Promise<WebhookEventRecord[]> => newEvents(operator, { accountId, kind, since, seen });
  const startedAt = Date.now();
  // What happened before is nobody's business here, and would be sent to the receiver a second time.
  await look(new Date(startedAt - LOOK_BACK_MS));
  note(
    forwardTo === undefined
      ? `listening to ${accountId}\n`
      : `listening to ${accountId}, forwarding to ${forwardTo}${given === undefined ? `, signing with ${signingSecret}` : ''}\n`,
  );
  const counts = { events: 0, accepted: 0, refused: 0 };
  while (!ended.aborted) {
    for (const event of await patiently(() => look(new Date(Date.now() - LOOK_BACK_MS)), note)) {
      if (ended.aborted) break;
      const body = (await operator.request(getEventV1, { accountId, eventId: event.id })).event.body;
      counts.events += 1;
      if (forwardTo === undefined) {
        line(`${heading(event)}\n${JSON.stringify(JSON.parse(body), null, 2)}`, { ...event, body });
        continue;
      }
      const forwarded = await forward(Buffer.from(body), { url: forwardTo, secret: signingSecret, event, ended });
      counts[forwarded.status === 200 ? 'accepted' : 'refused'] += 1;
      line(`${heading(event)}  ${answerOf(forwarded)}`, { ...event, body, forwarded });
    }
    await delay(LOOK_EVERY_MS, undefined, { signal: ended }).catch(() => undefined);
  }
  return forwardTo === undefined ? { events: counts.events } : counts;
}

/** Those that were not seen yet, the oldest first. */
async function newEvents(
  operator: Operator,
  {
    accountId,
    kind,
    since,
    seen,
  }: { accountId: string; kind?: WebhookEventKind; since: Date; seen: LRUCache<string, true> },
): Promise<WebhookEventRecord[]> {
  const found: WebhookEventRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = { accountId, limit: EVENTS_A_PAGE, kind, since: since.toISOString(), cursor };
    const { events, nextCursor } = await operator.request(listEventsV1, parseBody(listEventsV1.request, page));
    found.push(...events.filter(({ id }) => !seen.has(id)));
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  for (const { id } of found) seen.set(id, true);
  return found.reverse();
}

/** An outage ends no listening: it is noted once, and looked again. */
async function patiently<T>(look: () => Promise<T[]>, note: Console['note']): Promise<T[]> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'UNAVAILABLE') throw error;
    note(`${error.message}; looking again\n`);
    return [];
  }
}

async function forward(
  body: Buffer,
  { url, secret, event, ended }: { url: string; secret: string; event: WebhookEventRecord; ended: AbortSignal },
): Promise<Forwarded> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const startedAt = performance.now();
  const done = (status: number | null, problem: string | null): Forwarded => ({
    ...{ status, problem },
    durationMs: Math.round(performance.now() - startedAt),
  });
  try {
    const answer = await fetch(url, {
      ...{ method: 'POST', body, redirect: 'manual' },
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

function secret(text: string): string {
  if (/^whsec_[A-Za-z0-9+/]{20,100}={0,2}$/.test(text)) return text;
  throw new InvalidArgumentError('must be a secret as it was shown, whsec_ and base64');
}
