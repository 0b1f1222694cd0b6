import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { HandlesCommand, HandlesTask } from '@switchboard/broker';
import {
  RefundCreditV1,
  refundCreditV1,
  ReserveCreditCommand,
  type ReserveCreditReply,
  reserveCreditV1,
  ReturnCreditV1,
  returnCreditV1,
  SettleCreditV1,
  settleCreditV1,
} from '@switchboard/contracts';
import { ReservationsService } from './reservations.service';

/** Credits, for the services that sell something for them. */
@Controller()
export class CreditsController {
  constructor(private readonly reservations: ReservationsService) {}

  @HandlesCommand(reserveCreditV1)
  async reserve(@Payload() wanted: ReserveCreditCommand): Promise<ReserveCreditReply> {
    return { balance: await this.reservations.reserve(wanted) };
  }

  @HandlesTask(settleCreditV1)
  settle(@Payload() { accountId, reservationId }: SettleCreditV1): Promise<void> {
    return this.reservations.settle(accountId, reservationId);
  }

  @HandlesTask(refundCreditV1)
  refund(@Payload() { accountId, reservationId }: RefundCreditV1): Promise<void> {
    return this.reservations.refund(accountId, reservationId);
  }

  @HandlesTask(returnCreditV1)
  returnSpent(@Payload() { accountId, reservationId }: ReturnCreditV1): Promise<void> {
    return this.reservations.returnSpent(accountId, reservationId);
  }
}
