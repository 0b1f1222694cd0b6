import { Inject, Injectable } from '@nestjs/common';
import { Broker } from '@switchboard/broker';
import { type ReserveCreditCommand, type ReserveCreditReply, reserveCreditV1 } from '@switchboard/contracts';

/**
 * Sends the commands of the gateway service. Every method also throws the errors of `Broker.request`. RabbitMQ rejects
 * services that are not listed as callers of a method.
 */
@Injectable()
export class GatewayClient {
  constructor(@Inject(Broker) private readonly broker: Pick<Broker, 'request'>) {}

  /**
   * Reserves credits for an operation that may still fail. Requests with the same reservation id reserve once.
   * Callers: otp.
   * @throws AppError INSUFFICIENT_CREDITS; INVALID_VALUE if the reservation has already been refunded
   */
  reserveCredit(request: ReserveCreditCommand): Promise<ReserveCreditReply> {
    return this.broker.request(reserveCreditV1, request);
  }
}
