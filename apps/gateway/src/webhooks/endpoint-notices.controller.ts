import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type Delivery, EventHandler, isFirstDelivery } from '@switchboard/broker';
import { EndpointDegradedV1, endpointDegradedV1 } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { recordAudit } from '../audit-log/audit-log';

/** Records problems with webhook endpoints in the audit log, for the account's owner and the operator. */
@Controller()
export class EndpointNoticesController {
  constructor(private readonly transactions: Transactions) {}

  @EventHandler(endpointDegradedV1)
  async endpointDegraded(
    @Payload() { accountId, endpointId, reason, since }: EndpointDegradedV1,
    @Ctx() delivery: Delivery,
  ): Promise<void> {
    await this.transactions.run(async (tx) => {
      if (!(await isFirstDelivery(tx, delivery))) return;
      await recordAudit(tx, {
        actor: 'webhooks',
        action: `webhook.${reason}`,
        accountId,
        target: endpointId,
        details: { since },
      });
    });
  }
}
