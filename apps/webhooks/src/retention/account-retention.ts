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

/** Events that one step removes of an account: short transactions. */
const STEP_EVENTS = 1_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Accounts whose events are kept for fewer days than the log. Every step can be broken off and done again, by any
 * process.
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

  /** @param eventDays null takes the account's own days away */
  async changeDays(accountId: string, eventDays: number | null): Promise<EventRetentionReply> {
    await setDays(this.dataSource, accountId, eventDays);
    return this.getDays(accountId);
  }

  /** One step for every account with days of its own, or for one. */
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

  /** How many events all steps together would remove. */
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
