import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type Delivery, EventHandler, isFirstDelivery } from '@switchboard/broker';
import { JobFinishedV1, jobFinishedV1, JobPausedV1, jobPausedV1 } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { type AuditEntry, recordAudit, wasRequestedBefore } from '../audit-log/audit-log';

type AccountAudit = AuditEntry & { accountId: string };

/** Records bulk job events in the audit log, for the account's owner and the operator. */
@Controller()
export class JobNoticesController {
  constructor(private readonly transactions: Transactions) {}

  @EventHandler(jobPausedV1)
  async jobPaused(
    @Payload() { accountId, jobId, reason, timestamp }: JobPausedV1,
    @Ctx() delivery: Delivery,
  ): Promise<void> {
    const entry = { actor: 'jobs', action: 'job.pause', accountId, target: jobId, details: { reason } };
    // A user's or operator's own pause has an entry already; that of an API client has none.
    const isNoted =
      reason === 'REQUESTED' && timestamp !== undefined && (await this.isRequested(entry, new Date(timestamp)));
    if (!isNoted) await this.note(delivery, entry);
  }

  @EventHandler(jobFinishedV1)
  jobFinished(
    @Payload() { accountId, jobId, status, total, failed }: JobFinishedV1,
    @Ctx() delivery: Delivery,
  ): Promise<void> {
    return this.note(delivery, {
      actor: 'jobs',
      action: 'job.finish',
      accountId,
      target: jobId,
      details: { status, total, failed },
    });
  }

  private isRequested(entry: AccountAudit, at: Date): Promise<boolean> {
    return this.transactions.run((tx) => wasRequestedBefore(tx, entry, at));
  }

  private async note(delivery: Delivery, entry: AuditEntry): Promise<void> {
    await this.transactions.run(async (tx) => {
      if (await isFirstDelivery(tx, delivery)) await recordAudit(tx, entry);
    });
  }
}
