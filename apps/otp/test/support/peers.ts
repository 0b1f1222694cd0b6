import { createBroker } from '@switchboard/broker';
import {
  AppError,
  type GetSendReply,
  getSendV1,
  getTemplateV1,
  type MessageContract,
  refundCreditV1,
  type ReserveCreditCommand,
  reserveCreditV1,
  returnCreditV1,
  type SendMessageCommand,
  sendMessageV1,
  settleCreditV1,
  type TemplateRecord,
} from '@switchboard/contracts';
import { sampleReply, silentLogger, startFakeService } from '@switchboard/testing';

type Credit = 'held' | 'settled' | 'refunded' | 'returned';
interface CreditOrder {
  accountId: string;
  reservationId: string;
}

export const verificationTemplate: TemplateRecord = {
  id: '1',
  name: 'verification_code',
  status: 'APPROVED',
  category: 'AUTHENTICATION',
  language: 'en_US',
  components: [
    { type: 'BODY', text: '*{{1}}* is your verification code.' },
    { type: 'FOOTER', text: 'This code expires in 10 minutes.' },
    {
      type: 'BUTTONS',
      buttons: [{ type: 'URL', text: 'Copy code', url: 'https://www.whatsapp.com/otp/code/?code=otp{{1}}' }],
    },
  ],
};

/** Fakes of the gateway and messaging services on a real broker. They keep a credit ledger and a list of messages. */
export class Peers {
  template: TemplateRecord | null = verificationTemplate;
  balance = 1_000;
  readonly credits = new Map<string, Credit>();
  /** Messages that the upstream platform accepted or rejected, by id. */
  readonly sends = new Map<string, GetSendReply>();
  /** Commands in order of arrival. */
  readonly sent: SendMessageCommand[] = [];
  reserves = 0;
  templateQuestions = 0;
  /** The last template query. */
  question: unknown;
  /** Determines the outcome of a send. Without it, every send is accepted. */
  onSend?: (command: SendMessageCommand) => GetSendReply | Promise<GetSendReply>;
  onReserve?: () => void | Promise<void>;
  onGetSend?: () => void | Promise<void>;

  spent(): number {
    return [...this.credits.values()].filter((state) => state === 'settled').length;
  }

  async take(contract: MessageContract, body: unknown): Promise<unknown> {
    switch (contract.name) {
      case reserveCreditV1.name:
        return this.reserve(body as ReserveCreditCommand);
      case settleCreditV1.name:
        return this.end((body as CreditOrder).reservationId, 'settled');
      case refundCreditV1.name:
        return this.end((body as CreditOrder).reservationId, 'refunded');
      case returnCreditV1.name:
        return this.returnSpent((body as CreditOrder).reservationId);
      case sendMessageV1.name:
        return this.send(body as SendMessageCommand);
      case getSendV1.name:
        await this.onGetSend?.();
        return (
          this.sends.get((body as { messageId: string }).messageId) ?? { state: 'none', upstreamId: null, error: null }
        );
      case getTemplateV1.name:
        this.templateQuestions += 1;
        this.question = body;
        return { template: this.template };
      default:
        return sampleReply(contract);
    }
  }

  private async reserve({ reservationId }: ReserveCreditCommand): Promise<object> {
    this.reserves += 1;
    await this.onReserve?.();
    const state = this.credits.get(reservationId);
    if (state === 'refunded') throw new AppError('INVALID_VALUE', { message: 'the reservation was given back' });
    if (state === undefined) {
      if (this.balance === 0) throw new AppError('INSUFFICIENT_CREDITS');
      this.balance -= 1;
      this.credits.set(reservationId, 'held');
    }
    return { balance: this.balance };
  }

  private end(reservationId: string, state: Credit): void {
    const now = this.credits.get(reservationId);
    if (now === undefined) throw new Error(`there is no reservation ${reservationId}`);
    if (now !== 'held') return;
    if (state === 'refunded') this.balance += 1;
    this.credits.set(reservationId, state);
  }

  private returnSpent(reservationId: string): void {
    if (this.credits.get(reservationId) !== 'returned') this.balance += 1;
    this.credits.set(reservationId, 'returned');
  }

  private async send(command: SendMessageCommand): Promise<object> {
    this.sent.push(command);
    const { messageId } = command;
    const known = this.sends.get(messageId);
    const outcome = known ??
      (await this.onSend?.(command)) ?? { state: 'accepted', upstreamId: `wamid.${messageId}`, error: null };
    if (outcome.state !== 'none') this.sends.set(messageId, outcome);
    if (outcome.upstreamId === null)
      throw new AppError(outcome.state === 'failed' ? 'UPSTREAM_ERROR' : 'UPSTREAM_TIMEOUT');
    return { id: messageId, upstreamId: outcome.upstreamId };
  }
}

/**
 * Starts the fake services.
 * @returns a function that stops them
 */
export async function startPeers(
  peers: Peers,
  options: { url: string; namespace: string },
): Promise<() => Promise<void>> {
  const stops = await Promise.all(
    (['gateway', 'messaging', 'templates'] as const).map((service) =>
      startFakeService(service, createBroker({ service, ...options, logger: silentLogger }), (contract, body) =>
        peers.take(contract, body),
      ),
    ),
  );
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}
