import { Inject, Injectable } from '@nestjs/common';
import { codeUndeliveredV1, firstIdAt, newId } from '@switchboard/contracts';
import { dueIn, failsWholeBatch, GENERIC_PLAN, query, type Transaction, Transactions } from '@switchboard/database';
import { Batcher, CONFIG, counter, Every, linkTo, type Logger, LOGGER } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { MessagingConfig } from '../config';
import { type ContactOptOut, recordUpstreamOptOuts } from '../contacts/opt-outs';
import { newsOf, publishJobChanges } from '../job-messages/job-changes';
import type { NumberOwner } from '../numbers/numbers.queries';
import { forgetRejectedUploads } from '../sends/rejected-uploads';
import { SpendSettlement } from '../spend/spend-settlement';
import { countUsage } from '../usage/count-usage';
import {
  STORE_PENDING_STATUSES,
  PENDING_STATUSES,
  DELETE_EXPIRED_STATUSES,
  NEXT_PENDING_STATUS,
  TAKE_PENDING_STATUSES,
  type TakenStatus,
} from './pending-statuses.queries';
import { publishStatusChanges, statusEvents } from './status-events';
import type { StatusUpdate } from './status-updates';
import {
  APPLY_STATUSES,
  LOCK_CONTACTS_OF_MESSAGES,
  PARENT_IDS,
  REPORTED,
  type StatusOutcome,
  STATUSES,
  STORE_PARENT_IDS,
} from './statuses.queries';

const LOOK_EVERY_MS = 1_000;

const BATCH_STATUSES = 500;
/** Less than a lane's share of the prefetched messages, so that batches do not wait for the timer under full load. */
const ENOUGH_STATUSES = 100;
/**
 * Number of batches processed concurrently: while one waits for the database, another one is processed. All statuses of
 * a message use the same lane, whose batches run in sequence. Otherwise `delivered` could overtake an earlier `sent`,
 * which would then never be published.
 */
const LANES = 2;
/** Statuses that arrive within this time are applied together. A single status is applied immediately. */
const EVERY_MS = 250;
const PENDING_BATCH = 500;
/**
 * Maximum number of upstream ids to log, because a number that other systems also send from may produce any number of
 * them.
 */
const DROPPED_SHOWN = 20;
/** Upstream's error code for a recipient who has opted out of marketing messages. */
const STOPPED_MARKETING = 131050;
/** Upstream gives up on a message after at most thirty days. */
const AWAITED_MS = 31 * 86_400_000;

const counted = counter(
  'messaging_statuses_total',
  'Statuses reported by the upstream platform: applied, contradicted, parked, dropped',
  { outcome: ['applied', 'contradicted', 'parked', 'dropped'] },
);

interface OwnedStatus extends StatusUpdate {
  owner: NumberOwner;
}

/** Results of applied statuses. If a batch has several statuses of a message, the message counts for the first one. */
export interface AppliedStatuses {
  changes: number;
  /** Number of messages whose send had no known outcome before. */
  settled: number;
  /** Number of reported failures of messages that were delivered nevertheless. */
  contradicted: number;
  /** Number of statuses whose message is not stored yet. */
  parked: number;
}

interface AppliedStatus {
  counts: AppliedStatuses;
  /** Trace of the message's send, if the message is known. */
  sendTrace?: string | null;
}

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
    private readonly spend: SpendSettlement,
    @Inject(CONFIG) private readonly config: MessagingConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Resolves once each status is applied or stored as pending, and its events are committed. The statuses of a message
   * keep their order. Links the active span to the spans of the sends.
   */
  async applyStatuses(owner: NumberOwner, statuses: readonly StatusUpdate[]): Promise<AppliedStatuses> {
    const adding = statuses.map((status) => this.laneOf(status).add({ ...status, owner }));
    // Throw an error only after all batches have finished.
    await Promise.allSettled(adding);
    const applied = await Promise.all(adding);
    linkTo(applied.map(({ sendTrace }) => sendTrace));
    return total(applied.map(({ counts }) => counts));
  }

  /**
   * Applies pending statuses whose messages are stored by now, and deletes old ones.
   * @returns true if there may be more to do, or the time until the next one is tried again
   */
  @Every({ name: 'parked-statuses', everyMs: LOOK_EVERY_MS, restsWhenIdle: true })
  async applyPending(): Promise<boolean | number> {
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
    // Statuses of unknown messages are the oldest and may fill whole batches. Continue immediately, so that the
    // statuses behind them do not wait for one interval per batch.
    if (taken.examined === PENDING_BATCH || dropped.length === PENDING_BATCH) return true;
    return dueIn(this.dataSource, NEXT_PENDING_STATUS, LOOK_EVERY_MS);
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

  /** Logs each status at level debug, because statuses arrive by the thousand. */
  private logEach(updates: readonly OwnedStatus[], known: ReadonlyMap<number, AppliedOutcome>): void {
    updates.forEach(({ owner, upstreamId, status, at }, index) => {
      const outcome = known.get(index + 1);
      const facts = { messageId: outcome?.id, upstreamId, accountId: owner.accountId, numberId: owner.id, status, at };
      if (!outcome) return this.logger.debug(facts, 'status.parked');
      this.logger.debug({ ...facts, before: outcome.before, after: outcome.after }, 'status.applied');
    });
  }

  /** Applies statuses and publishes the new ones, in one transaction. */
  private async applyAndPublish(tx: Transaction, updates: readonly KnownUpdate[]): Promise<AppliedOutcome[]> {
    tx.queue(GENERIC_PLAN);
    await lockRefusing(tx, updates);
    await storeParentIds(tx, updates);
    const outcomes = await tx.queryPrepared<StatusOutcome>(APPLY_STATUSES, [
      ...STATUSES.parameters(updates, { pricing: ({ pricing }) => pricing ?? null }),
      oldestAwaited(),
    ]);
    await recordMarketingRejections(tx, outcomes);
    await forgetRejectedUploads(tx, outcomes);
    const news = outcomes.map((outcome) => ({ outcome, events: statusEvents(outcome) }));
    const events = news.flatMap((each) => each.events);
    publishStatusChanges(tx, events, this.config.GROUP_STATUS_EVENTS);
    publishJobChanges(tx, events.map(newsOf));
    for (const code of outcomes.filter(isUndeliveredCode)) enqueueUndelivered(tx, code);
    countUsage(tx, outcomes);
    await this.spend.finish(tx, outcomes);
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

/** Returns true for a failed one-time code. A failure that is reported after delivery does not count. */
const isUndeliveredCode = ({ isSecret, before, after }: StatusOutcome): boolean =>
  isSecret && after === 'failed' && before !== 'failed';

function enqueueUndelivered(tx: Transaction, { accountId, id, upstreamId }: StatusOutcome): void {
  tx.enqueue(codeUndeliveredV1, { accountId, messageId: id, upstreamId });
}

const refusesMarketing = (error: StatusUpdate['error']): boolean => error?.code === STOPPED_MARKETING;

/**
 * Locks the contacts that `recordMarketingRejections` will change, before any messages, to keep the lock order. Usually
 * there are none. If there are, also locks those of `storeParentIds`, to lock all in one order.
 */
async function lockRefusing(tx: Transaction, updates: readonly KnownUpdate[]): Promise<void> {
  if (!updates.some(({ error }) => refusesMarketing(error))) return;
  const changing = updates.filter(({ error, parentUserId }) => refusesMarketing(error) || parentUserId !== undefined);
  await tx.query(LOCK_CONTACTS_OF_MESSAGES, [...REPORTED.parameters(changing), oldestAwaited()]);
}

/** Stores the parent user ids of recipients. Only businesses of a portfolio that has enabled them get any. */
async function storeParentIds(tx: Transaction, updates: readonly KnownUpdate[]): Promise<void> {
  const named = updates.flatMap(({ parentUserId, ...update }) =>
    parentUserId === undefined ? [] : [{ ...update, parentUserId }],
  );
  if (named.length === 0) return;
  await tx.query(STORE_PARENT_IDS, [...PARENT_IDS.parameters(named), oldestAwaited()]);
}

/**
 * Opts out contacts who, according to upstream, have stopped marketing messages. The notice of the opt-out itself may
 * have been lost.
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

/** Returns the lowest id of a message that can still receive a status. */
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
    body: ({ upstreamId, echoedId, status, at, error, pricing, parentUserId }) => ({
      upstreamId,
      echoedId,
      status,
      at,
      error,
      pricing,
      parentUserId,
    }),
  });
  await tx.query(STORE_PENDING_STATUSES, lists);
}
