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

/**
 * The credit that a send reserves. A message's id is ours, and a second attempt of it never shares the first one's
 * credit.
 */
export function reservationOf({ messageId, attempt }: Pick<SendIds, 'messageId' | 'attempt'>): string {
  const id = `otp_${messageId.slice(messageId.indexOf('_') + 1)}`;
  return attempt === 1 ? id : `${id}.${attempt}`;
}

/**
 * Writes down what became of a send: its state, its code, the figures and what happens to its credit, in one
 * transaction. Each is done once, whoever comes first: the sender, or who asked afterwards. Locks are taken in the
 * order send, prefix, phone, figures everywhere.
 */
@Injectable()
export class SendOutcomes {
  constructor(
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The upstream platform took it: its code is the phone's only one now, and its credit is spent. */
  accept(send: SendIds, upstreamId: string): Promise<void> {
    return this.settle(send, { state: 'accepted', upstreamId }, (tx, { phone }) => {
      countAccepted(tx, send, phone);
      tx.enqueue(settleCreditV1, creditOf(send));
    });
  }

  /**
   * The upstream platform took it and could not deliver it, for good: its credit goes back, once. Nobody may have
   * written down yet that the platform took it; then this does, and the credit is never settled. The code stays valid:
   * a message may arrive after all.
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

  /** It certainly did not reach anybody: earlier codes stay, and the credit goes back. */
  fail(send: SendIds, refusal: AppErrorBody): Promise<void> {
    return this.settle(send, { state: 'failed', refusal }, (tx, { phone }) => {
      withdrawCode(tx, send, phone);
      countSend(tx, { ...send, phone }, 'failed');
      tx.enqueue(refundCreditV1, creditOf(send));
    });
  }

  /**
   * It was never handed over and will not be: as if it had not been asked for. Asked for again, it begins anew.
   * @param options.isReserved whether a credit was set aside for it
   * @param options.dueAt nothing is done when somebody has taken the send up again since it was due then
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

/** Its code is the phone's only one from now on. */
function countAccepted(tx: Transaction, send: SendIds, phone: string): void {
  replaceEarlierCodes(tx, send, phone);
  countSend(tx, { ...send, phone }, 'sent');
}

function creditOf({ accountId, ...send }: SendIds): { accountId: string; reservationId: string } {
  return { accountId, reservationId: reservationOf(send) };
}
