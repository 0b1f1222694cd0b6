import { Inject, Injectable } from '@nestjs/common';
import { Broker } from '@switchboard/broker';
import { type ReserveCreditCommand, type ReserveCreditReply, reserveCreditV1 } from '@switchboard/contracts';

/**
 * Calls the commands of the gateway service. Every method also throws the errors of `Broker.request`. RabbitMQ has no
 * route for services that a method does not list.
 */
@Injectable()
export class GatewayClient {
  constructor(@Inject(Broker) private readonly broker: Pick<Broker, 'request'>) {}

  /**
   * Reserves credits of an account for an operation that may still fail. The same reservation id reserves once.
   * Callers: otp.
   * @throws AppError INSUFFICIENT_CREDITS; INVALID_VALUE when the reservation was refunded before
   */
  reserveCredit(request: ReserveCreditCommand): Promise<ReserveCreditReply> {
    return this.broker.request(reserveCreditV1, request);
  }
}
