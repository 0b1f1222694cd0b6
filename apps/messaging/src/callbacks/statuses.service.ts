import { Inject, Injectable } from '@nestjs/common';
import { codeUndeliveredV1, firstIdAt, newId } from '@switchboard/contracts';
import { failsWholeBatch, GENERIC_PLAN, query, type Transaction, Transactions } from '@switchboard/database';
import { Batcher, CONFIG, counter, Every, linkTo, type Logger, LOGGER } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { MessagingConfig } from '../config';
import { type ContactOptOut, recordUpstreamOptOuts } from '../contacts/opt-outs';
import { newsOf, publishJobChanges } from '../job-messages/job-changes';
import type { NumberOwner } from '../numbers/numbers.queries';
import {
  STORE_PENDING_STATUSES,
  PENDING_STATUSES,
  DELETE_EXPIRED_STATUSES,
  TAKE_PENDING_STATUSES,
  type TakenStatus,
} from './pending-statuses.queries';
import { publishStatusChanges, statusEvents } from './status-events';
import type { StatusUpdate } from './status-updates';
import { APPLY_STATUSES, LOCK_CONTACTS_OF_MESSAGES, REPORTED, type StatusOutcome, STATUSES } from './statuses.queries';

const LOOK_EVERY_MS = 1_000;

const BATCH_STATUSES = 500;
/**
 * Fewer than a lane's share of what the broker hands over unacknowledged: under full load no batch waits for its time.
 */
const ENOUGH_STATUSES = 100;
/**
 * While one batch waits for the database, another one is worked on. All statuses of one message take the same lane,
 * whose batches follow each other: side by side `delivered` could overtake the `sent` that came before it, which would
 * then never be announced.
 */
const LANES = 2;
/** What comes in within this time is applied together; a status that comes alone is applied at once. */
const EVERY_MS = 250;
const PENDING_BATCH = 500;
/** A number from which others send, too, may bring any number of them. */
const DROPPED_SHOWN = 20;
/** Upstream's code for a recipient who wants no marketing. */
const STOPPED_MARKETING = 131050;
/** Upstream gives a message up after thirty days at the latest. */
const AWAITED_MS = 31 * 86_400_000;

const counted = counter(
  'messaging_statuses_total',
  'Statuses reported by the upstream platform: applied, contradicted, parked, dropped',
  { outcome: ['applied', 'contradicted', 'parked', 'dropped'] },
);

interface OwnedStatus extends StatusUpdate {
  owner: NumberOwner;
}

/** What became of some statuses; a message that several of a batch spoke of counts for the first. */
export interface AppliedStatuses {
  /** News that were published. */
  changes: number;
  /** Messages whose send had no known outcome until now. */
  settled: number;
  /** Failures reported of messages that had arrived all the same. */
  contradicted: number;
  /** Statuses of messages that nobody knows yet. */
  parked: number;
}

/** What became of one status. */
interface AppliedStatus {
  counts: AppliedStatuses;
  /** The message's, when it is known. */
  sendTrace?: string | null;
}

/** Applies statuses, many callbacks at once when many come in. */
@Injectable()
export class StatusesService {
  private readonly lanes = Array.from(
    { length: LANES },
    () =>
      new Batcher<OwnedStatus, AppliedStatus>((statuses) => this.applyBatch(statuses), {
        maxItems: BATCH_STATUSES,
        enough: ENOUGH_STATUSES,
        concurrency: 1,
        everyMs: EVERY_MS,
        isCommonFailure: failsWholeBatch,
      }),
  );

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    @Inject(CONFIG) private readonly config: MessagingConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Returns when the statuses are applied, or pending, and their events are on their way; in the order given for each
   * message. The active span is linked to the spans of the sends.
   */
  async applyStatuses(owner: NumberOwner, statuses: readonly StatusUpdate[]): Promise<AppliedStatuses> {
    const adding = statuses.map((status) => this.laneOf(status).add({ ...status, owner }));
    // Nobody may be told of a failure while others of them are still at work.
    await Promise.allSettled(adding);
    const applied = await Promise.all(adding);
    linkTo(applied.map(({ sendTrace }) => sendTrace));
    return total(applied.map(({ counts }) => counts));
  }

  /**
   * Applies pending statuses whose messages are known by now, drops old ones.
   * @returns whether there may be more to do
   */
  @Every({ name: 'parked-statuses', everyMs: LOOK_EVERY_MS })
  async applyPending(): Promise<boolean> {
    const dropped = await query<{ upstreamId: string }>(this.dataSource, DELETE_EXPIRED_STATUSES, [PENDING_BATCH]);
    const taken = await this.transactions.run(async (tx) => {
      const rows = await tx.query<TakenStatus>(TAKE_PENDING_STATUSES, [PENDING_BATCH, oldestAwaited()]);
      const pendingStatuses = rows.flatMap(({ accountId, body }) =>
        accountId !== null && body !== null ? [{ accountId, ...body }] : [],
      );
      const outcomes = pendingStatuses.length > 0 ? await this.applyAndPublish(tx, pendingStatuses) : [];
      return { length: pendingStatuses.length, messageIds: idsOf(outcomes), examined: rows[0]?.examined ?? 0 };
    });
    counted.inc({ outcome: 'applied' }, taken.length);
    counted.inc({ outcome: 'dropped' }, dropped.length);
    const { length: statuses, messageIds } = taken;
    if (statuses > 0) this.logger.info({ statuses, messageIds }, 'parked-statuses.applied');
    if (dropped.length > 0) {
      const upstreamIds = dropped.slice(0, DROPPED_SHOWN).map(({ upstreamId }) => upstreamId);
      this.logger.warn({ statuses: dropped.length, upstreamIds }, 'parked-statuses.dropped');
    }
    // Those that nobody knows are many and come first, being due the longest: who waits behind them must not wait for a
    // turn each.
    return taken.examined === PENDING_BATCH || dropped.length === PENDING_BATCH;
  }

  private laneOf({ upstreamId }: StatusUpdate): Batcher<OwnedStatus, AppliedStatus> {
    let sum = 0;
    for (let position = 0; position < upstreamId.length; position += 1) sum += upstreamId.charCodeAt(position);
    return this.lanes[sum % LANES] as Batcher<OwnedStatus, AppliedStatus>;
  }

  private async applyBatch(statuses: readonly OwnedStatus[]): Promise<AppliedStatus[]> {
    const startedAt = performance.now();
    const updates = statuses.map((status) => ({ ...status, accountId: status.owner.accountId }));
    const { counts, outcomes, known } = await this.transactions.run(async (tx) => {
      const fresh = updates.map(() => ({ ...NOTHING }));
      const byPosition = new Map<number, AppliedOutcome>();
      const applied = await this.applyAndPublish(tx, updates);
      for (const outcome of applied) {
        for (const position of outcome.positions) byPosition.set(position, outcome);
        addOutcome(fresh[(outcome.positions[0] ?? 1) - 1], outcome);
      }
      const unknown = updates.filter((_update, index) => !byPosition.has(index + 1));
      fresh.forEach((each, index) => (each.parked = byPosition.has(index + 1) ? 0 : 1));
      if (unknown.length > 0) await storePending(tx, unknown);
      return { counts: fresh, outcomes: applied, known: byPosition };
    });
    const sums = total(counts);
    counted.inc({ outcome: 'applied' }, updates.length - sums.parked);
    counted.inc({ outcome: 'parked' }, sums.parked);
    counted.inc({ outcome: 'contradicted' }, sums.contradicted);
    this.logger.info(
      {
        statuses: updates.length,
        ...sums,
        messageIds: idsOf(outcomes),
        durationMs: Math.round(performance.now() - startedAt),
      },
      'statuses.applied',
    );
    if (this.logger.isLevelEnabled('debug')) this.logEach(updates, known);
    return counts.map((each, index) => ({ counts: each, sendTrace: known.get(index + 1)?.sendTrace }));
  }

  /** Only on demand: statuses come by the thousand. */
  private logEach(updates: readonly OwnedStatus[], known: ReadonlyMap<number, AppliedOutcome>): void {
    updates.forEach(({ owner, upstreamId, status, at }, index) => {
      const outcome = known.get(index + 1);
      const facts = { messageId: outcome?.id, upstreamId, accountId: owner.accountId, numberId: owner.id, status, at };
      if (!outcome) return this.logger.debug(facts, 'status.parked');
      this.logger.debug({ ...facts, before: outcome.before, after: outcome.after }, 'status.applied');
    });
  }

  /** Applies statuses and reports what is new, in one transaction. */
  private async applyAndPublish(tx: Transaction, updates: readonly KnownUpdate[]): Promise<AppliedOutcome[]> {
    tx.queue(GENERIC_PLAN);
    await lockRefusing(tx, updates);
    const outcomes = await tx.queryPrepared<StatusOutcome>(APPLY_STATUSES, [
      ...STATUSES.parameters(updates, { pricing: ({ pricing }) => pricing ?? null }),
      oldestAwaited(),
    ]);
    await recordMarketingRejections(tx, outcomes);
    const news = outcomes.map((outcome) => ({ outcome, events: statusEvents(outcome) }));
    const events = news.flatMap((each) => each.events);
    publishStatusChanges(tx, events, this.config.GROUP_STATUS_EVENTS);
    publishJobChanges(tx, events.map(newsOf));
    for (const code of outcomes.filter(isUndeliveredCode)) enqueueUndelivered(tx, code);
    return news.map(({ outcome, events: { length: changes } }) => ({ ...outcome, changes }));
  }
}

const NOTHING: AppliedStatuses = { changes: 0, settled: 0, contradicted: 0, parked: 0 };

const idsOf = (outcomes: readonly AppliedOutcome[]): string[] => outcomes.map(({ id }) => id);

function total(counts: readonly AppliedStatuses[]): AppliedStatuses {
  const sums = { ...NOTHING };
  for (const each of counts)
    for (const name of Object.keys(sums) as (keyof AppliedStatuses)[]) sums[name] += each[name];
  return sums;
}

type KnownUpdate = StatusUpdate & { accountId: string };
type AppliedOutcome = StatusOutcome & { changes: number };

/** A failure that is reported after the message arrived is none. */
const isUndeliveredCode = ({ isSecret, before, after }: StatusOutcome): boolean =>
  isSecret && after === 'failed' && before !== 'failed';

function enqueueUndelivered(tx: Transaction, { accountId, id, upstreamId }: StatusOutcome): void {
  tx.enqueue(codeUndeliveredV1, { accountId, messageId: id, upstreamId });
}

const refusesMarketing = (error: StatusUpdate['error']): boolean => error?.code === STOPPED_MARKETING;

/**
 * Contacts that `recordMarketingRejections` changes are locked before messages, as everywhere. As a rule there is none.
 */
async function lockRefusing(tx: Transaction, updates: readonly KnownUpdate[]): Promise<void> {
  const refused = updates.filter(({ error }) => refusesMarketing(error));
  if (refused.length === 0) return;
  await tx.query(LOCK_CONTACTS_OF_MESSAGES, [...REPORTED.parameters(refused), oldestAwaited()]);
}

/**
 * A person who upstream says has stopped marketing gets no more of it: the notice of the opt-out may never have
 * reached us.
 */
async function recordMarketingRejections(tx: Transaction, outcomes: readonly StatusOutcome[]): Promise<void> {
  const optOuts = new Map<string, ContactOptOut[]>();
  for (const { accountId, contactId, failedAt, error } of outcomes) {
    if (contactId === null || failedAt === null || !refusesMarketing(error)) continue;
    const optOut = { contactId, refuses: true, at: failedAt.toISOString() };
    optOuts.set(accountId, [...(optOuts.get(accountId) ?? []), optOut]);
  }
  for (const [accountId, own] of optOuts) await recordUpstreamOptOuts(tx, accountId, own);
}

/** Older messages have no status to come. */
const oldestAwaited = (): string => firstIdAt('msg', Date.now() - AWAITED_MS);

function addOutcome(counts: AppliedStatuses | undefined, { before, failedAt, changes }: AppliedOutcome): void {
  if (!counts) return;
  counts.changes += changes;
  if (before === 'sending' || before === 'unknown') counts.settled += 1;
  if (failedAt !== null && (before === 'delivered' || before === 'read')) counts.contradicted += 1;
}

async function storePending(tx: Transaction, updates: readonly (KnownUpdate & OwnedStatus)[]): Promise<void> {
  const lists = PENDING_STATUSES.parameters(updates, {
    id: () => newId('prk'),
    numberId: ({ owner }) => owner.id,
    body: ({ upstreamId, echoedId, status, at, error, pricing }) => ({
      upstreamId,
      echoedId,
      status,
      at,
      error,
      pricing,
    }),
  });
  await tx.query(STORE_PENDING_STATUSES, lists);
}
