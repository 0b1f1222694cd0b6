import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type Delivery, EventHandler, isFirstDelivery } from '@switchboard/broker';
import { NumberStoppedV1, numberStoppedV1 } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { recordAudit } from '../audit-log/audit-log';

/** Records stopped business numbers in the audit log, for the account's owner and the operator. */
@Controller()
export class NumberNoticesController {
  constructor(private readonly transactions: Transactions) {}

  @EventHandler(numberStoppedV1)
  async numberStopped(
    @Payload() { accountId, phoneNumber, reason, timestamp }: NumberStoppedV1,
    @Ctx() delivery: Delivery,
  ): Promise<void> {
    await this.transactions.run(async (tx) => {
      if (!(await isFirstDelivery(tx, delivery))) return;
      await recordAudit(tx, {
        actor: 'messaging',
        action: 'number.stop',
        accountId,
        target: phoneNumber,
        details: { reason, stoppedAt: timestamp },
      });
    });
  }
}
