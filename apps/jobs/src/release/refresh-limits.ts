import { Injectable } from '@nestjs/common';
import { batchOf, columnsOf, query } from '@switchboard/database';
import { Every } from '@switchboard/platform';
import { MessagingClient } from '@switchboard/service-clients';
import { DataSource } from 'typeorm';
import { Lane } from './lane.entity';
import { HAS_WORK } from './release.queries';

const EVERY_MS = 5_000;
/** Age of a number's limits at which they are read again. They count what all numbers of the portfolio have sent. */
const STALE_SECONDS = 20;
const LANES_AT_A_TIME = 100;

/** Finds numbers with pending recipients whose limits are old. $1 seconds, $2 maximum */
const FIND_STALE_LANES = `
  SELECT account_id AS "accountId", array_agg(phone_number) AS numbers FROM (
    SELECT account_id, phone_number FROM lanes
    WHERE (limits_at IS NULL OR limits_at < now() - $1::int * interval '1 second') AND ${HAS_WORK}
    LIMIT $2
  ) AS stale GROUP BY account_id`;

const LIMITS = batchOf(columnsOf(Lane, ['phoneNumber', 'portfolio', 'messagingLimit', 'leftToday']), { from: 3 });

/** $1 account, $2 all numbers that were asked for, then `LIMITS` of those that messaging knows */
const SET_LIMITS = `
  UPDATE lanes SET portfolio = given.portfolio, messaging_limit = given.messaging_limit,
    left_today = given.left_today, limits_at = now(), released_since = 0
  FROM unnest($2::text[]) AS asked (number) LEFT JOIN ${LIMITS.unnest('given')} ON given.phone_number = asked.number
  WHERE account_id = $1 AND lanes.phone_number = asked.number`;

/** Reads the messaging limits of numbers whose jobs are running. Safe to run in several processes concurrently. */
@Injectable()
export class RefreshLimits {
  constructor(
    private readonly dataSource: DataSource,
    private readonly messaging: MessagingClient,
  ) {}

  /** @throws AppError UNAVAILABLE when messaging does not respond; the numbers then keep their last limits */
  @Every({ name: 'jobs.limits', everyMs: EVERY_MS })
  async refreshStale(): Promise<void> {
    const stale = await query<{ accountId: string; numbers: string[] }>(this.dataSource, FIND_STALE_LANES, [
      STALE_SECONDS,
      LANES_AT_A_TIME,
    ]);
    for (const { accountId, numbers } of stale) {
      const at = new Date().toISOString();
      const known = (await this.messaging.getSendingCapacity({ accountId, numbers, at })).numbers;
      const limits = LIMITS.parameters(known, {
        portfolio: ({ portfolio }) => portfolio ?? null,
        leftToday: ({ remaining }) => remaining,
      });
      await query(this.dataSource, SET_LIMITS, [accountId, numbers, ...limits]);
    }
  }
}
