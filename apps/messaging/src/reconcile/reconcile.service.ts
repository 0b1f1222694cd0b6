import { Inject, Injectable } from '@nestjs/common';
import { maskPhone, type MessageError } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { activity, CONFIG, counter, LOGGER, type Logger } from '@switchboard/platform';
import { UpstreamError } from '@switchboard/upstream';
import type { MessagingConfig } from '../config';
import { type MessageNews, publishJobChanges } from '../job-messages/job-changes';
import { errorOfCall, NEVER_REPORTED, NOT_SENT, OUTCOME_UNKNOWN, withoutDetails } from '../messages/message-error';
import { type FailedMessage, publishFailure } from '../messages/message-events';
import { ACCEPT_SENDS, MARK_UNKNOWN } from '../sends/send.queries';
import { SendMedia } from '../sends/send-media';
import { SuspendedNumbers } from '../numbers/suspended-numbers';
import {
  ANY_UNSETTLED,
  CLAIM_UNSETTLED,
  type ClaimedSend,
  FAIL_RESENT,
  GIVE_UP_NOT_BEGUN,
  GIVE_UP_REPEATED,
  GIVE_UP_UNREPORTED,
} from './reconcile.queries';

/**
 * Maximum number of messages per batch. They are sent concurrently, so that each call starts within the grace period of
 * its claim.
 */
const BATCH_SIZE = 50;

const reconciled = counter(
  'messaging_reconciled_total',
  'Messages without a known outcome that were taken up: accepted, failed, unknown',
  { outcome: ['accepted', 'failed', 'unknown'] },
);

/** Settles messages whose send has no known outcome and for which no callback arrived in time. */
@Injectable()
export class ReconcileService {
  constructor(
    private readonly transactions: Transactions,
    private readonly media: SendMedia,
    private readonly suspendedNumbers: SuspendedNumbers,
    @Inject(CONFIG) private readonly config: MessagingConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Gives up messages after the maximum number of attempts or the maximum wait, and sends the others again with the
   * same id.
   * @param signal aborts running calls; their messages stay unsettled
   */
  async settleOverdue(signal: AbortSignal): Promise<void> {
    if ((await this.transactions.run((tx) => tx.queryPrepared(ANY_UNSETTLED))).length === 0) return;
    activity.note();
    const { RECONCILE_GRACE_SECONDS: graceSeconds, CALLBACK_WAIT_SECONDS: waitSeconds } = this.config;
    const limits = [graceSeconds, BATCH_SIZE];
    await this.giveUp(GIVE_UP_REPEATED, limits, OUTCOME_UNKNOWN);
    await this.giveUp(GIVE_UP_UNREPORTED, [Math.max(waitSeconds, graceSeconds), BATCH_SIZE], NEVER_REPORTED);
    await this.giveUp(GIVE_UP_NOT_BEGUN, limits, NOT_SENT);
    const claimed = await this.transactions.run((tx) => tx.query<ClaimedSend>(CLAIM_UNSETTLED, limits));
    await Promise.all(claimed.map((message) => this.resend(message, signal)));
  }

  private async giveUp(sql: string, limits: unknown[], reason: MessageError): Promise<void> {
    const failed = await this.failMessages(sql, limits, reason);
    for (const { id, accountId, recipient } of failed)
      this.logOutcome({ id, accountId, recipient }, 'failed', 'given up');
  }

  /** Catches all errors, so that one message does not affect the others. */
  private async resend(message: ClaimedSend, signal: AbortSignal): Promise<void> {
    try {
      const outcome = await this.media.resend(message, signal);
      if (!(outcome instanceof UpstreamError)) return await this.accept(message, outcome.messageId);
      await this.suspendedNumbers.suspendIfRejected(
        { id: message.numberId, sealedAccessToken: message.sealedAccessToken },
        outcome,
      );
      if (outcome.wasReceived) return await this.leaveToCallbacks(message, outcome);
      // The error is temporary or concerns the number: the next attempt follows after the grace period.
      if (outcome.kind !== 'rejected' || outcome.retriable || outcome.stopsNumber)
        return this.logOutcome(message, 'unknown', outcome.message);
      const failed = await this.failMessages(FAIL_RESENT, [message.id, message.accountId], errorOf(message, outcome));
      this.logOutcome(message, failed.length > 0 ? 'failed' : 'accepted', outcome.message);
    } catch (error) {
      this.logger.error(
        { err: error, messageId: message.id, accountId: message.accountId, attempt: message.attempt },
        'message.reconcile-failed',
      );
    }
  }

  private async accept(message: ClaimedSend, upstreamId: string): Promise<void> {
    const { id, accountId, jobId } = message;
    await this.transactions.run(async (tx) => {
      await tx.query(ACCEPT_SENDS, [[id], [accountId], [upstreamId]]);
      const at = new Date().toISOString();
      publishJobChanges(tx, [{ accountId, jobId, change: { messageId: id, status: 'accepted', upstreamId, at } }]);
    });
    this.logOutcome({ ...message, upstreamId }, 'accepted');
  }

  /**
   * Excludes a message from further sends because upstream received it. The message is abandoned if no callback arrives
   * in time.
   */
  private async leaveToCallbacks(message: ClaimedSend, outcome: UpstreamError): Promise<void> {
    await this.transactions.run((tx) => tx.query(MARK_UNKNOWN, [message.id, message.accountId, true]));
    this.logOutcome(message, 'unknown', outcome.message);
  }

  /** Fails messages and publishes the failures in one transaction. */
  private failMessages(sql: string, params: unknown[], error: MessageError): Promise<FailedMessage[]> {
    return this.transactions.run(async (tx) => {
      const failed = await tx.query<FailedMessage>(sql, [...params, JSON.stringify(error)]);
      for (const message of failed) publishFailure(tx, message, error);
      publishJobChanges(
        tx,
        failed.map((message) => newsOfFailure(message, error)),
      );
      return failed;
    });
  }

  private logOutcome(
    message: Pick<ClaimedSend, 'id' | 'accountId' | 'recipient'> & { attempt?: number; upstreamId?: string },
    outcome: string,
    reason?: string,
  ): void {
    const { id, accountId, recipient, attempt, upstreamId } = message;
    reconciled.inc({ outcome });
    this.logger.info(
      { messageId: id, upstreamId, accountId, to: maskPhone(recipient), attempt, outcome, reason },
      'message.reconciled',
    );
  }
}

function newsOfFailure(
  { id, accountId, jobId, upstreamId, failedAt }: FailedMessage,
  error: MessageError,
): MessageNews {
  return {
    accountId,
    jobId,
    change: { messageId: id, status: 'failed', upstreamId, error, at: failedAt.toISOString() },
  };
}

function errorOf({ sealedContent }: ClaimedSend, outcome: UpstreamError): MessageError {
  const error = errorOfCall(outcome);
  return sealedContent === null ? error : withoutDetails(error);
}
