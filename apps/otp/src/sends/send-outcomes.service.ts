import { Inject, Injectable } from '@nestjs/common';
import { type AppErrorBody, maskPhone, refundCreditV1, returnCreditV1, settleCreditV1 } from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import { counter, LOGGER, type Logger } from '@switchboard/platform';
import { countSend } from '../statistics/statistics.queries';
import { prefixOf } from './limits';
import {
  markUndelivered,
  replaceEarlierCodes,
  type SendIds,
  type SettledAs,
  type SettledSend,
  settleSend,
  uncountSend,
  withdrawCode,
} from './settle-send.queries';

const outcomes = counter('otp_sends_total', 'Sends of one-time codes by outcome: accepted, failed, abandoned', {
  outcome: ['accepted', 'failed', 'abandoned'],
});

/** Returns the id of the credit reservation of one attempt. Every attempt has its own reservation. */
export function reservationOf({ messageId, attempt }: Pick<SendIds, 'messageId' | 'attempt'>): string {
  const id = `otp_${messageId.slice(messageId.indexOf('_') + 1)}`;
  return attempt === 1 ? id : `${id}.${attempt}`;
}

/**
 * Stores the outcome of a send in one transaction: its state, its code, the statistics and its credit. Either the
 * sender or `SettleOpenSends` applies an outcome, whichever is first, and it applies once. The lock order everywhere is
 * send, prefix, phone, statistics.
 */
@Injectable()
export class SendOutcomes {
  constructor(
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Records that the upstream platform accepted the message: its code becomes the phone's only one, and its credit is
   * spent.
   */
  accept(send: SendIds, upstreamId: string): Promise<void> {
    return this.settle(send, { state: 'accepted', upstreamId }, (tx, { phone }) => {
      countAccepted(tx, send, phone);
      tx.enqueue(settleCreditV1, creditOf(send));
    });
  }

  /**
   * Records that the upstream platform accepted the message but failed to deliver it, and returns the credit, once. If
   * the acceptance has not been stored yet, stores it here, and the credit is never spent. The code stays valid,
   * because the message may still arrive.
   */
  async undelivered(message: Pick<SendIds, 'accountId' | 'messageId'>, upstreamId: string): Promise<void> {
    const noted = await this.transactions.run(async (tx) => {
      const send = await markUndelivered(tx, message);
      if (!send) return undefined;
      const settled = await settleSend(tx, send, { state: 'accepted', upstreamId });
      if (settled) countAccepted(tx, send, settled.phone);
      tx.enqueue(returnCreditV1, creditOf(send));
      return send;
    });
    this.logger.info({ ...message, isNews: noted !== undefined }, 'code.undelivered');
  }

  /** Records that the message was not sent: earlier codes stay valid, and the credit is returned. */
  fail(send: SendIds, refusal: AppErrorBody): Promise<void> {
    return this.settle(send, { state: 'failed', refusal }, (tx, { phone }) => {
      withdrawCode(tx, send, phone);
      countSend(tx, { ...send, phone }, 'failed');
      tx.enqueue(refundCreditV1, creditOf(send));
    });
  }

  /**
   * Reverts a send that was never submitted and never will be. A repeated command starts a new send.
   * @param options.isReserved true if a credit was reserved for the send
   * @param options.dueAt due time of the send; if it has been resumed since, nothing is changed
   */
  abandon(send: SendIds, { isReserved, dueAt }: { isReserved: boolean; dueAt?: string }): Promise<void> {
    return this.settle(send, { state: 'abandoned', dueAt }, (tx, settled) => {
      uncountSend(tx, send.accountId, { ...settled, prefix: prefixOf(settled.phone) });
      withdrawCode(tx, send, settled.phone);
      countSend(tx, { ...send, phone: settled.phone }, 'failed');
      if (isReserved) tx.enqueue(refundCreditV1, creditOf(send));
    });
  }

  private async settle(
    send: SendIds,
    as: SettledAs,
    consequences: (tx: Transaction, settled: SettledSend) => void,
  ): Promise<void> {
    const settled = await this.transactions.run(async (tx) => {
      const row = await settleSend(tx, send, as);
      if (row) consequences(tx, row);
      return row;
    });
    if (!settled) return;
    outcomes.inc({ outcome: as.state });
    const { accountId, messageId, attempt } = send;
    this.logger.info(
      { accountId, messageId, attempt, to: maskPhone(settled.phone), outcome: as.state, code: as.refusal?.code },
      'code.send-settled',
    );
  }
}

/** Makes the code of the send the phone's only one and counts the send. */
function countAccepted(tx: Transaction, send: SendIds, phone: string): void {
  replaceEarlierCodes(tx, send, phone);
  countSend(tx, { ...send, phone }, 'sent');
}

function creditOf({ accountId, ...send }: SendIds): { accountId: string; reservationId: string } {
  return { accountId, reservationId: reservationOf(send) };
}
