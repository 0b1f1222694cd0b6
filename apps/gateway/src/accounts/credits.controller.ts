import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler, TaskHandler } from '@switchboard/broker';
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

/** Handles the credit commands of services that charge credits. */
@Controller()
export class CreditsController {
  constructor(private readonly reservations: ReservationsService) {}

  @CommandHandler(reserveCreditV1)
  async reserve(@Payload() wanted: ReserveCreditCommand): Promise<ReserveCreditReply> {
    return { balance: await this.reservations.reserve(wanted) };
  }

  @TaskHandler(settleCreditV1)
  settle(@Payload() { accountId, reservationId }: SettleCreditV1): Promise<void> {
    return this.reservations.settle(accountId, reservationId);
  }

  @TaskHandler(refundCreditV1)
  refund(@Payload() { accountId, reservationId }: RefundCreditV1): Promise<void> {
    return this.reservations.refund(accountId, reservationId);
  }

  @TaskHandler(returnCreditV1)
  returnSpent(@Payload() { accountId, reservationId }: ReturnCreditV1): Promise<void> {
    return this.reservations.returnSpent(accountId, reservationId);
  }
}
