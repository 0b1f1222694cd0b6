import { Inject, Injectable } from '@nestjs/common';
import { maskPhone, numberQualityChangedV1, type UpstreamNumberChangedV1 } from '@switchboard/contracts';
import { dueIn, query, Transactions } from '@switchboard/database';
import { CONFIG, Every, type Logger, LOGGER } from '@switchboard/platform';
import { UpstreamError, type UpstreamNumber } from '@switchboard/upstream';
import { DataSource } from 'typeorm';
import type { MessagingConfig } from '../config';
import {
  CLAIM_DUE_NUMBERS,
  type DueNumber,
  MAKE_NUMBERS_DUE,
  NEXT_DUE_NUMBER,
  REST_NUMBER,
  REST_UPSTREAM_ACCOUNT,
  SET_PORTFOLIO,
} from './number-poll.queries';
import { BusinessNumber } from './number.entity';
import { pollPauseSeconds } from './poll-pause';
import { UpstreamNumbers } from './upstream-numbers';

/** Interval between checks for due numbers. */
const LOOK_EVERY_MS = 1_000;

/** Number of numbers read concurrently. Low, because no caller waits for them. */
const BATCH_SIZE = 10;

/** Polls quality, limit and status of the numbers, because upstream does not announce all of their changes. */
@Injectable()
export class NumberPollService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly upstream: UpstreamNumbers,
    @Inject(CONFIG) private readonly config: Pick<MessagingConfig, 'NUMBER_POLL_SECONDS'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Reads the numbers that are due.
   * @returns true if more numbers may be due, or the time until the next one is due
   */
  @Every({ name: 'number-poll', everyMs: LOOK_EVERY_MS, restsWhenIdle: true })
  async readDueNumbers(signal?: AbortSignal): Promise<boolean | number> {
    const due = await query<DueNumber>(this.dataSource, CLAIM_DUE_NUMBERS, [
      this.config.NUMBER_POLL_SECONDS,
      BATCH_SIZE,
    ]);
    await Promise.all(due.map((number) => this.readNumber(number, signal)));
    return due.length === BATCH_SIZE || dueIn(this.dataSource, NEXT_DUE_NUMBER, LOOK_EVERY_MS);
  }

  /**
   * Makes numbers due after a notification from upstream. The notification is not authoritative, so the upstream object
   * is read again.
   */
  async recordChange({ callbackId, wabaId, field, value }: UpstreamNumberChangedV1): Promise<void> {
    const { display_phone_number: shown, event, waba_info: info } = value as Partial<Record<string, unknown>>;
    const digits = typeof shown === 'string' ? shown.replace(/[^0-9]/g, '') : '';
    // `waba_info`, if present, contains the WABA that changed. The top-level WABA may be a different one.
    const { waba_id: inside } = (typeof info === 'object' && info !== null ? info : {}) as { waba_id?: unknown };
    const numbers = await query<{ id: string }>(this.dataSource, MAKE_NUMBERS_DUE, [
      typeof inside === 'string' ? inside : wabaId,
      digits === '' ? null : digits,
    ]);
    this.logger.info(
      { callbackId, wabaId, field, event, numbers: numbers.map(({ id }) => id) },
      'number.change-recorded',
    );
  }

  private async readNumber(number: DueNumber, signal?: AbortSignal): Promise<void> {
    try {
      const found = await this.upstream.read(number, { signal });
      await this.record(number, found, await this.upstream.readMarketingOnboarding(number, { signal }));
      if (number.portfolioId === null) await this.recordPortfolio(number, signal);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (!signal?.aborted) await this.letRest(number, error);
    }
  }

  /** Stores the portfolio of the business account, read once because it never changes. */
  private async recordPortfolio(number: DueNumber, signal?: AbortSignal): Promise<void> {
    const portfolio = await this.upstream.readPortfolio(number, { signal });
    if (portfolio !== null) await query(this.dataSource, SET_PORTFOLIO, [number.accountId, number.wabaId, portfolio]);
  }

  /** Stores the fields that upstream returned. Absent fields stay unchanged. */
  private async record({ id, accountId }: DueNumber, found: UpstreamNumber, onboarding: string | null): Promise<void> {
    await this.transactions.run(async (tx) => {
      const numbers = tx.manager.getRepository(BusinessNumber);
      // Lock the row, so that only one of two concurrent reads sees the change.
      const before = await numbers.findOne({ where: { id, accountId }, lock: { mode: 'pessimistic_write' } });
      if (!before) return;
      const { phoneNumber, qualityRating: previousQualityRating } = before;
      const qualityRating = found.quality_rating ?? previousQualityRating;
      const messagingLimit = found.whatsapp_business_manager_messaging_limit ?? before.messagingLimit;
      await numbers.update(
        { id, accountId },
        {
          qualityRating,
          messagingLimit,
          status: found.status ?? undefined,
          throughputLevel: found.throughput?.level ?? undefined,
          displayName: found.verified_name ?? undefined,
          marketingOnboarding: onboarding ?? undefined,
          pollFailures: 0,
        },
      );
      if (qualityRating === null || qualityRating === previousQualityRating) return;
      const timestamp = new Date().toISOString();
      tx.publish(numberQualityChangedV1, {
        accountId,
        numberId: id,
        phoneNumber,
        qualityRating,
        previousQualityRating,
        messagingLimit,
        timestamp,
      });
      this.logger.info(
        { accountId, numberId: id, phone: maskPhone(phoneNumber), qualityRating, previousQualityRating },
        'number.quality-changed',
      );
    });
  }

  private async letRest({ id, accountId, wabaId, failures }: DueNumber, error: UpstreamError): Promise<void> {
    const pauseSeconds = pollPauseSeconds(this.config.NUMBER_POLL_SECONDS, failures);
    const isThrottled = error.category === 'rate_limit';
    if (isThrottled) await query(this.dataSource, REST_UPSTREAM_ACCOUNT, [wabaId, pauseSeconds]);
    else await query(this.dataSource, REST_NUMBER, [id, accountId, pauseSeconds]);
    this.logger.warn(
      { accountId, numberId: id, failures: failures + 1, pauseSeconds, reason: error.message },
      'number.read-failed',
    );
  }
}
