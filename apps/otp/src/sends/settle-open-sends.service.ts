import { Inject, Injectable } from '@nestjs/common';
import { AppError, ERRORS, type GetSendReply } from '@switchboard/contracts';
import { dueIn } from '@switchboard/database';
import { Every, type Logger, LOGGER } from '@switchboard/platform';
import { MessagingClient } from '@switchboard/service-clients';
import { DataSource } from 'typeorm';
import { SendCredits } from './credits';
import { SendOutcomes } from './send-outcomes.service';
import { claimDue, type DueSend, NEXT_DUE } from './settle-send.queries';

const LOOK_EVERY_MS = 2_000;

const BATCH_SIZE = 50;
/** Delay before the next check of a send whose outcome messaging does not know yet. */
const AGAIN_SECONDS = 15;

/** Settles sends left open by a crash or a missing response, with the outcome that the messaging service reports. */
@Injectable()
export class SettleOpenSends {
  constructor(
    private readonly dataSource: DataSource,
    private readonly messaging: MessagingClient,
    private readonly credits: SendCredits,
    private readonly outcomes: SendOutcomes,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Settles a batch.
   * @returns true when there may be more, or the time until the next one is due
   */
  @Every({ name: 'open-sends', everyMs: LOOK_EVERY_MS, restsWhenIdle: true })
  async settleDue(): Promise<boolean | number> {
    const due = await claimDue(this.dataSource, BATCH_SIZE, AGAIN_SECONDS);
    await Promise.all(due.map((send) => this.settle(send)));
    return due.length === BATCH_SIZE || dueIn(this.dataSource, NEXT_DUE, LOOK_EVERY_MS);
  }

  /** Logs errors instead of throwing them, so that one failing send does not keep the others open. */
  private async settle(send: DueSend): Promise<void> {
    try {
      const { accountId, messageId } = send;
      await this.settleAs(send, await this.messaging.getSend({ accountId, messageId }));
    } catch (error) {
      this.logger.warn({ err: error, accountId: send.accountId, messageId: send.messageId }, 'code.settling-failed');
    }
  }

  private async settleAs(send: DueSend, { state, upstreamId, error }: GetSendReply): Promise<void> {
    if (state === 'unknown') return;
    if (state === 'none')
      return this.outcomes.abandon(send, { isReserved: await this.isReserved(send), dueAt: send.dueAt });
    // A message with an upstream id was accepted, whatever its state is now.
    if (state !== 'failed' || upstreamId !== null) return this.outcomes.accept(send, upstreamId ?? send.messageId);
    const message = `${ERRORS.UPSTREAM_ERROR.message}: ${error?.title ?? 'no reason was given'}`;
    return this.outcomes.fail(send, new AppError('UPSTREAM_ERROR', { message }).toBody());
  }

  /**
   * Reserves the credit if the process died before it could. An existing reservation stays.
   * @returns false when no credit can be reserved
   */
  private async isReserved(send: DueSend): Promise<boolean> {
    try {
      await this.credits.reserve(send);
      return true;
    } catch (error) {
      if (error instanceof AppError && (error.code === 'INSUFFICIENT_CREDITS' || error.code === 'INVALID_VALUE'))
        return false;
      throw error;
    }
  }
}
