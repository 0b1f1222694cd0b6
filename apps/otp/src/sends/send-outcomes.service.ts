import { Inject, Injectable } from '@nestjs/common';
import { type AppErrorBody, maskPhone, refundCreditV1, settleCreditV1 } from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import { counter, LOGGER, type Logger } from '@switchboard/platform';
import { countSend } from '../figures/figures.queries';
import { prefixOf } from './limits';
import { replaceEarlierCodes, type SendIds, type SettledAs, type SettledSend, settleSend, uncountSend, withdrawCode } from './settle-send.queries';

const outcomes = counter('otp_sends_total', 'Sends of one-time codes by outcome: accepted, failed, abandoned', ['outcome']);

/** The credit that a send reserves. A message's id is ours, and a second attempt of it never shares the first one's credit. */
export function reservationOf({ messageId, attempt }: Pick<SendIds, 'messageId' | 'attempt'>): string {
  const id = `otp_${messageId.slice(messageId.indexOf('_') + 1)}`;
  return attempt === 1 ? id : `${id}.${attempt}`;
}

/**
 * Writes down what became of a send: its state, its code, the figures and what happens to its credit, in one transaction. Each is done
 * once, whoever comes first: the sender, or who asked afterwards. Locks are taken in the order send, prefix, phone, figures everywhere.
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
      replaceEarlierCodes(tx, send, phone);
      countSend(tx, { ...send, phone }, 'sent');
      tx.enqueue(settleCreditV1, creditOf(send));
    });
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

  private async settle(send: SendIds, as: SettledAs, consequences: (tx: Transaction, settled: SettledSend) => void): Promise<void> {
    const settled = await this.transactions.run(async (tx) => {
      const row = await settleSend(tx, send, as);
      if (row) consequences(tx, row);
      return row;
    });
    if (!settled) return;
    outcomes.inc({ outcome: as.state });
    const { accountId, messageId, attempt } = send;
    this.logger.info({ accountId, messageId, attempt, to: maskPhone(settled.phone), outcome: as.state, code: as.refusal?.code }, 'code.send-settled');
  }
}

function creditOf({ accountId, ...send }: SendIds): { accountId: string; reservationId: string } {
  return { accountId, reservationId: reservationOf(send) };
}
