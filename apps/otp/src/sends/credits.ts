import { Injectable } from '@nestjs/common';
import { GatewayClient } from '@switchboard/service-clients';
import type { SendIds } from './settle-send.queries';
import { reservationOf } from './send-outcomes.service';

/** Longest reservation that the contract allows. The outcome of a send is known long before it ends. */
const HOLD_SECONDS = 86_400;

/** Reserves the single utility credit of each send (spec §9.1.10). */
@Injectable()
export class SendCredits {
  constructor(private readonly gateway: GatewayClient) {}

  /**
   * Reserves the credit of the send. Repeated calls for the same attempt reserve it once.
   * @returns the remaining balance
   * @throws AppError INSUFFICIENT_CREDITS; INVALID_VALUE when the credit was already returned; UNAVAILABLE when the
   * outcome is unknown
   */
  async reserve(send: SendIds): Promise<number> {
    const { accountId } = send;
    const { balance } = await this.gateway.reserveCredit({
      accountId,
      reservationId: reservationOf(send),
      category: 'utility',
      amount: 1,
      holdSeconds: HOLD_SECONDS,
    });
    return balance;
  }
}
