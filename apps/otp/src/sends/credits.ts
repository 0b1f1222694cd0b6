import { Injectable } from '@nestjs/common';
import { GatewayClient } from '@switchboard/service-clients';
import type { SendIds } from './settle-send.queries';
import { reservationOf } from './send-outcomes.service';

/**
 * As long as the contract allows: whatever becomes of a send is known long before, and gives the credit back or spends
 * it.
 */
const HOLD_SECONDS = 86_400;

/** The one utility credit of each send (spec §9.1.10). */
@Injectable()
export class SendCredits {
  constructor(private readonly gateway: GatewayClient) {}

  /**
   * Sets the send's credit aside, once for each attempt however often it is asked.
   * @returns how many are left
   * @throws AppError INSUFFICIENT_CREDITS; INVALID_VALUE when it was given back before; UNAVAILABLE when nobody knows
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
