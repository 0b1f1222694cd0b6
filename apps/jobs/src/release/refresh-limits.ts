import { Injectable } from '@nestjs/common';
import { batchOf, columnsOf, query } from '@switchboard/database';
import { activity, Every } from '@switchboard/platform';
import { MessagingClient } from '@switchboard/service-clients';
import { DataSource } from 'typeorm';
import { Lane } from './lane.entity';
import { HAS_SHARED_WORK, isReleasing } from './release.queries';

const EVERY_MS = 5_000;
/** Age of a number's limits at which they are read again. They count what all numbers of the portfolio have sent. */
const STALE_SECONDS = 20;
const LANES_AT_A_TIME = 100;

/** Returns a row if a job over several numbers has recipients to release. It reads the index of open jobs. */
const ANY_SHARED_JOB = `SELECT 1 FROM jobs WHERE ${isReleasing()} AND phone_number IS NULL LIMIT 1`;

/**
 * Claims numbers that send for a job with several and whose limits are old, and schedules their next read. One process
 * reads each number per interval. If it crashes, the number becomes due again. $1 seconds, $2 maximum
 */
const CLAIM_STALE_LANES = `
  WITH claimed AS (
    UPDATE lanes SET limits_due_at = now() + $1::int * interval '1 second'
    WHERE (account_id, phone_number) IN (
      SELECT account_id, phone_number FROM lanes
      WHERE (limits_due_at IS NULL OR limits_due_at <= now()) AND ${HAS_SHARED_WORK}
      ORDER BY limits_due_at NULLS FIRST LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING account_id, phone_number
  )
  SELECT account_id AS "accountId", array_agg(phone_number) AS numbers FROM claimed GROUP BY account_id`;

const LIMITS = batchOf(columnsOf(Lane, ['phoneNumber', 'portfolio', 'messagingLimit', 'leftToday']), { from: 3 });

/** $1 account, $2 all numbers that were asked for, then `LIMITS` of those that messaging knows */
const SET_LIMITS = `
  UPDATE lanes SET portfolio = given.portfolio, messaging_limit = given.messaging_limit,
    left_today = given.left_today, limits_at = now(), released_since = 0
  FROM unnest($2::text[]) AS asked (number) LEFT JOIN ${LIMITS.unnest('given')} ON given.phone_number = asked.number
  WHERE account_id = $1 AND lanes.phone_number = asked.number`;

/** Reads the messaging limits of numbers that send for a running job over several numbers. */
@Injectable()
export class RefreshLimits {
  constructor(
    private readonly dataSource: DataSource,
    private readonly messaging: MessagingClient,
  ) {}

  /**
   * Numbers of an account for which messaging does not respond keep their last limits.
   * @throws AppError UNAVAILABLE after all accounts were tried
   */
  @Every({ name: 'jobs.limits', everyMs: EVERY_MS, restsWhenIdle: true })
  async refreshStale(): Promise<void> {
    if ((await query(this.dataSource, ANY_SHARED_JOB)).length === 0) return;
    activity.note();
    const stale = await query<{ accountId: string; numbers: string[] }>(this.dataSource, CLAIM_STALE_LANES, [
      STALE_SECONDS,
      LANES_AT_A_TIME,
    ]);
    const failures: unknown[] = [];
    for (const { accountId, numbers } of stale) {
      await this.refresh(accountId, numbers).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  private async refresh(accountId: string, numbers: string[]): Promise<void> {
    const at = new Date().toISOString();
    const known = (await this.messaging.getSendingCapacity({ accountId, numbers, at })).numbers;
    const limits = LIMITS.parameters(known, {
      portfolio: ({ portfolio }) => portfolio ?? null,
      leftToday: ({ remaining }) => remaining,
    });
    await query(this.dataSource, SET_LIMITS, [accountId, numbers, ...limits]);
  }
}
