import { Inject, Injectable } from '@nestjs/common';
import { type EventRetentionReply, firstIdAt, type RunEventRetentionReply } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { CONFIG, LOGGER, type Logger } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { WebhooksConfig } from '../config';
import {
  type AccountDays,
  countOldEvents,
  findAccounts,
  findDays,
  type Old,
  removeOldEvents,
  setDays,
} from './account-retention.queries';

/** Events deleted per step and account, to keep transactions short. */
const STEP_EVENTS = 1_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Enforces the retention of accounts that keep events for fewer days than the log. Each step may be interrupted or
 * repeated by any process.
 */
@Injectable()
export class AccountRetention {
  constructor(
    @Inject(CONFIG) private readonly config: WebhooksConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  async getDays(accountId: string): Promise<EventRetentionReply> {
    const eventDays = await findDays(this.dataSource, accountId);
    const logDays = this.config.WEBHOOK_LOG_DAYS;
    return { eventDays, effectiveDays: Math.min(eventDays ?? logDays, logDays) };
  }

  /** @param eventDays retention in days, or null to remove the account's own retention */
  async changeDays(accountId: string, eventDays: number | null): Promise<EventRetentionReply> {
    await setDays(this.dataSource, accountId, eventDays);
    return this.getDays(accountId);
  }

  /** Runs one step for the given account, or for every account with its own retention. */
  async removeStep(now: Date, accountId?: string): Promise<RunEventRetentionReply> {
    const reply = { events: 0, done: true };
    for (const account of await findAccounts(this.dataSource, this.config.WEBHOOK_LOG_DAYS, accountId)) {
      const events = await this.transactions.run((tx) => removeOldEvents(tx, oldOf(account, now), STEP_EVENTS));
      if (events > 0) this.logger.info({ ...account, events }, 'events.removed');
      reply.events += events;
      reply.done &&= events < STEP_EVENTS;
    }
    return reply;
  }

  /** Counts the events that all steps together would delete. */
  async countAll(now: Date, accountId?: string): Promise<RunEventRetentionReply> {
    const reply = { events: 0, done: true };
    for (const account of await findAccounts(this.dataSource, this.config.WEBHOOK_LOG_DAYS, accountId)) {
      reply.events += await countOldEvents(this.dataSource, oldOf(account, now));
    }
    return reply;
  }
}

function oldOf({ accountId, days }: AccountDays, now: Date): Old {
  return { accountId, below: firstIdAt('evt', new Date(now.getTime() - days * DAY_MS)) };
}
