import { Injectable } from '@nestjs/common';
import type { MessagePricing } from '@switchboard/contracts';
import { dueIn, query, type Transaction, Transactions } from '@switchboard/database';
import { CLEANUP_STATEMENT_MS, Every } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { RateCards } from '../rates/rate-cards';
import { isCharged, isDelivered } from '../usage/count-usage';
import { chargeOf } from './send-price';
import {
  DELETE_EXPIRED_TOTALS,
  type DueReservation,
  EXPECT_PRICING,
  FIND_DUE,
  FINALS,
  FINISH_RESERVATIONS,
  LOCK_TOTALS,
  NEXT_SETTLEMENT,
  RELEASE_FAILED,
  SETTLE_DUE,
  TOTAL_KEYS,
} from './spend.queries';

const SETTLE_EVERY_MS = 1_000;
const STEP_ROWS = 500;
const EXPIRE_EVERY_MS = 3_600_000;
const DAYS_KEPT = 400;

/** Message after statuses were applied. */
export interface ReportedSpend {
  id: string;
  recipient: string;
  pricing: MessagePricing | null;
  after: string;
  /** Time of its open reservation; null if it has none. */
  reservedAt: Date | null;
}

/** Settles reservations when the platform reports the price of a message, and releases those of failed messages. */
@Injectable()
export class SpendSettlement {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly cards: RateCards,
  ) {}

  /**
   * Stores the final amounts of reservations, in the transaction that stores the statuses of their messages. A failed
   * message keeps an open reservation, because the platform may report a delivery and its price afterwards.
   */
  async finish(tx: Transaction, outcomes: readonly ReportedSpend[]): Promise<void> {
    const reserved = outcomes.filter(({ reservedAt }) => reservedAt !== null);
    if (reserved.length === 0) return;
    const card = await this.cards.current();
    const finals: { messageId: string; final: string | null }[] = [];
    const unpriced: string[] = [];
    const failed: string[] = [];
    for (const { id: messageId, recipient, pricing, after, reservedAt } of reserved) {
      if (after === 'failed') failed.push(messageId);
      else if (pricing && !isCharged(pricing)) finals.push({ messageId, final: '0' });
      else if (!isDelivered(after)) continue;
      else if (!pricing) unpriced.push(messageId);
      else {
        const message = { recipient, category: pricing.category };
        finals.push({ messageId, final: chargeOf(card, message, reservedAt ?? new Date()) });
      }
    }
    if (finals.length > 0) tx.queue(FINISH_RESERVATIONS, FINALS.parameters(finals));
    if (failed.length > 0) tx.queue(RELEASE_FAILED, [failed]);
    if (unpriced.length > 0) tx.queue(EXPECT_PRICING, [unpriced]);
  }

  /**
   * Moves finished reservations to the settled amounts.
   * @returns true if there may be more, or the time until the next one is due
   */
  @Every({ name: 'spend-settlement', everyMs: SETTLE_EVERY_MS, restsWhenIdle: true })
  async settleDue(): Promise<boolean | number> {
    const due = await query<DueReservation>(this.dataSource, FIND_DUE, [STEP_ROWS]);
    if (due.length === 0) return dueIn(this.dataSource, NEXT_SETTLEMENT, SETTLE_EVERY_MS);
    await this.transactions.run((tx) => {
      tx.queue(LOCK_TOTALS, TOTAL_KEYS.parameters(due.flatMap(keysOf)));
      tx.queue(SETTLE_DUE, [due.map(({ id }) => id)]);
    });
    return due.length === STEP_ROWS;
  }

  /** @returns true if there may be more to delete */
  @Every({ name: 'spend-expiry', everyMs: EXPIRE_EVERY_MS, statementMs: CLEANUP_STATEMENT_MS })
  async deleteExpired(): Promise<boolean> {
    const deleted = await query(this.dataSource, DELETE_EXPIRED_TOTALS, [DAYS_KEPT, STEP_ROWS]);
    return deleted.length === STEP_ROWS;
  }
}

function keysOf({ accountId, jobId, month }: DueReservation): { accountId: string; jobId: string; month: string }[] {
  return [
    ...(month === '' ? [] : [{ accountId, jobId: '', month }]),
    ...(jobId === '' ? [] : [{ accountId, jobId, month: '' }]),
  ];
}
