import { Injectable } from '@nestjs/common';
import type { SpendLimit } from '@switchboard/contracts';
import { againAfterDeadlock, GENERIC_PLAN, type Transaction, Transactions } from '@switchboard/database';
import { amountOf, type RateCard, unitsOf } from '@switchboard/pricing';
import { LRUCache } from 'lru-cache';
import { raiseSpendNotice, SPEND_NOTICE_PERCENT } from '../notices/spend-notice';
import { RateCards } from '../rates/rate-cards';
import { type PricedSend, reservationOf } from './send-price';
import {
  ADD_TOTALS,
  LOCK_TOTALS,
  NOTE_NOTIFIED,
  READ_TOTALS,
  RESERVATIONS,
  RESERVE,
  TOTAL_KEYS,
  type TotalRow,
} from './spend.queries';

/** Maximum number of cached accounts with a cap. The statement that starts a send detects accounts not in the cache. */
const MAX_KNOWN = 10_000;
const KNOWN_MS = 600_000;

/** A message that may count towards the caps of its account and job. */
export interface LimitedSend extends PricedSend {
  id: string;
  accountId: string;
  jobId: string | null;
  /** Cap of the job. */
  maxSpend?: SpendLimit;
}

/** Reason why a message is not sent. */
export interface SpendRefusal {
  refusal: 'spend-cap' | 'rate-unknown';
  reason: string;
}

/** A total locked by this transaction, with its cap. */
interface OpenTotal {
  row: TotalRow;
  amount: string;
  currency: string;
  /** Reserved and settled units, including those that the transaction adds. */
  used: bigint;
  cap: bigint;
  isReached: boolean;
}

interface Candidate<Send> {
  send: Send;
  /** Position in the list passed to `begin`. */
  index: number;
  units: bigint;
  totals: readonly OpenTotal[];
}

type Insert<Send, Begun> = (tx: Transaction, sends: readonly Send[]) => Promise<readonly Begun[]>;

/**
 * Reserves the highest possible price of each message in the transaction that inserts its row. Totals stay locked until
 * the commit, so concurrent sends of any process never exceed a cap.
 */
@Injectable()
export class SpendLimiter {
  private readonly known = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: KNOWN_MS });

  constructor(
    private readonly transactions: Transactions,
    private readonly cards: RateCards,
  ) {}

  /** Guesses from a cache whether the message counts towards a cap. A wrong guess costs one more statement. */
  isLimited({ accountId, maxSpend }: Pick<LimitedSend, 'accountId' | 'maxSpend'>): boolean {
    return maxSpend !== undefined || this.known.has(accountId);
  }

  /**
   * Starts the messages that fit within their caps, in the given order.
   * @param insert inserts the rows; a message counts towards its caps only if it returns `inserted` as true
   * @returns for each message, in the same order, the result of `insert` or the reason why it is not sent
   */
  async begin<Send extends LimitedSend, Begun extends { inserted: boolean }>(
    sends: readonly Send[],
    insert: Insert<Send, Begun>,
  ): Promise<(Begun | SpendRefusal)[]> {
    const beginWith = (card: RateCard, some: readonly Send[]): Promise<(Begun | SpendRefusal)[]> =>
      againAfterDeadlock(() => this.transactions.run((tx) => this.beginWithin(tx, { card, sends: some, insert })));
    const results = await beginWith(await this.cards.current(), sends);
    const unknown = sends.filter((_, index) => isRateUnknown(results[index]));
    if (unknown.length === 0) return results;
    // The rate may have been imported after the cached card was read.
    const retried = (await beginWith(await this.cards.latest(), unknown)).values();
    return results.map((result) => (isRateUnknown(result) ? (retried.next().value ?? result) : result));
  }

  private async beginWithin<Send extends LimitedSend, Begun extends { inserted: boolean }>(
    tx: Transaction,
    { card, sends, insert }: { card: RateCard; sends: readonly Send[]; insert: Insert<Send, Begun> },
  ): Promise<(Begun | SpendRefusal)[]> {
    const at = new Date();
    tx.queue(GENERIC_PLAN);
    const totals = await this.lockTotals(tx, sends, at);
    const results: (Begun | SpendRefusal)[] = [];
    let waiting: Candidate<Send>[] = [];
    sends.forEach((send, index) => {
      const own = totalsOf(totals, send, at);
      const price = priceOf(card, send, { totals: own, at });
      if ('unknown' in price) results[index] = { refusal: 'rate-unknown', reason: price.unknown };
      else waiting.push({ send, index, units: unitsOf(price.amount), totals: own });
    });
    const reserved: Candidate<Send>[] = [];
    for (let hasFreed = true; hasFreed && waiting.length > 0; ) {
      hasFreed = false;
      const fitting = waiting.filter(fits);
      if (fitting.length === 0) break;
      waiting = waiting.filter((candidate) => !fitting.includes(candidate));
      const begun = await insert(
        tx,
        fitting.map(({ send }) => send),
      );
      fitting.forEach((candidate, position) => {
        const result = begun[position] as Begun;
        results[candidate.index] = result;
        if (result.inserted) reserved.push(candidate);
        else for (const total of candidate.totals) total.used -= candidate.units;
        // The released amount may suffice for a message that did not fit.
        if (!result.inserted) hasFreed = true;
      });
    }
    for (const { index, totals: own, units } of waiting) {
      const [full] = own.filter((total) => total.used + units > total.cap);
      for (const total of own) if (total.used + units > total.cap) total.isReached = true;
      results[index] = { refusal: 'spend-cap', reason: reasonOf(full ?? own[0]) };
    }
    const limited = reserved.filter(({ totals: own }) => own.length > 0);
    if (limited.length > 0) tx.queue(RESERVE, RESERVATIONS.parameters(limited.map(reservation)));
    for (const total of totals.values()) await notify(tx, total);
    return results;
  }

  private async lockTotals(
    tx: Transaction,
    sends: readonly LimitedSend[],
    at: Date,
  ): Promise<ReadonlyMap<string, OpenTotal>> {
    const keys = new Map<string, { accountId: string; jobId: string; month: string }>();
    const limits = new Map<string, SpendLimit>();
    for (const { accountId, jobId, maxSpend } of sends) {
      const month = { accountId, jobId: '', month: monthOf(at) };
      keys.set(keyOf(month), month);
      if (jobId === null || maxSpend === undefined) continue;
      const job = { accountId, jobId, month: '' };
      keys.set(keyOf(job), job);
      limits.set(keyOf(job), maxSpend);
    }
    const parameters = TOTAL_KEYS.parameters([...keys.values()]);
    tx.queue(ADD_TOTALS, parameters);
    tx.queue(LOCK_TOTALS, parameters);
    // A separate statement, so that its snapshot includes what the previous lock holders committed.
    const rows = await tx.queryPrepared<TotalRow>(READ_TOTALS, parameters);
    const totals = new Map<string, OpenTotal>();
    const capped = new Set<string>();
    for (const row of rows) {
      const { amount = row.amount, currency = row.currency } = limits.get(keyOf(row)) ?? {};
      if (amount === null || currency === null) continue;
      const used = unitsOf(row.reserved) + unitsOf(row.settled);
      totals.set(keyOf(row), { row, amount, currency, used, cap: unitsOf(amount), isReached: false });
      if (row.jobId === '') capped.add(row.accountId);
    }
    for (const { accountId } of sends) {
      if (capped.has(accountId)) this.known.set(accountId, true);
      else this.known.delete(accountId);
    }
    return totals;
  }
}

const isRateUnknown = (result: object | undefined): boolean =>
  result !== undefined && 'refusal' in result && result.refusal === 'rate-unknown';

/** Returns the UTC month as stored in totals, such as `2026-11`. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

const keyOf = ({ accountId, jobId, month }: Pick<TotalRow, 'accountId' | 'jobId' | 'month'>): string =>
  [accountId, jobId, month].join('\n');

function totalsOf(
  totals: ReadonlyMap<string, OpenTotal>,
  { accountId, jobId, maxSpend }: LimitedSend,
  at: Date,
): OpenTotal[] {
  const month = totals.get(keyOf({ accountId, jobId: '', month: monthOf(at) }));
  const job = jobId !== null && maxSpend ? totals.get(keyOf({ accountId, jobId, month: '' })) : undefined;
  return [month, job].flatMap((total) => total ?? []);
}

/** Returns the amount to reserve: zero if no cap applies. */
function priceOf(
  card: RateCard,
  send: LimitedSend,
  { totals, at }: { totals: readonly OpenTotal[]; at: Date },
): { amount: string } | { unknown: string } {
  const prices = totals.map(({ currency }) => reservationOf(card, send, { currency, at }));
  return prices.find((price) => 'unknown' in price) ?? prices[0] ?? { amount: '0' };
}

/** Returns true if the message fits within all of its caps, and then adds it to the used amounts. */
function fits({ units, totals }: Candidate<unknown>): boolean {
  if (totals.some(({ used, cap }) => used + units > cap)) return false;
  for (const total of totals) total.used += units;
  return true;
}

function reservation({ send, units, totals }: Candidate<LimitedSend>) {
  return {
    messageId: send.id,
    accountId: send.accountId,
    jobId: totals.map(({ row }) => row.jobId).find((jobId) => jobId !== '') ?? '',
    month: totals.map(({ row }) => row.month).find((month) => month !== '') ?? '',
    amount: amountOf(units),
  };
}

function reasonOf(total: OpenTotal | undefined): string {
  if (!total) return '';
  const { row, amount, currency } = total;
  return row.jobId === ''
    ? `the account's spend cap of ${amount} ${currency} for ${row.month} is reached`
    : `the job's spend cap of ${amount} ${currency} is reached`;
}

/** Stores a notice if the account's usage has reached 80 or 100 % of its cap for the first time this month. */
async function notify(tx: Transaction, { row, amount, currency, used, cap, isReached }: OpenTotal): Promise<void> {
  if (row.jobId !== '') return;
  const { warning, reached } = SPEND_NOTICE_PERCENT;
  const isUsed = (percent: number): boolean => used * 100n >= cap * BigInt(percent);
  const percent = isReached || isUsed(reached) ? reached : isUsed(warning) ? warning : undefined;
  if (percent === undefined || percent <= row.notified) return;
  const { accountId, month } = row;
  tx.queue(NOTE_NOTIFIED, [accountId, month, percent]);
  await raiseSpendNotice(tx, { accountId, month, amount, used: amountOf(used), currency, percent });
}
