import type { UpstreamStatus } from '@switchboard/upstream';
import type { SimulatorSettings } from '../config';
import type { Customers } from '../customers/customers';
import { parentUserIdOf, userIdOf } from '../customers/identity';
import type { Faults, FaultStore } from '../faults';
import { titleOf } from '../graph-error';
import type { AcceptedMessage } from './message-log';
import type { Failure, Outcome } from './outcome';
import type { CheckedSend } from './validate-message';
import type { BusinessNumber } from '../numbers/number-store';
import type { Price } from './pricing';
import type { Scheduler } from '../scheduler';
import type { CallbackError, StatusUpdate } from '../callbacks/callback-body';
import type { FaultyCallbacks } from '../callbacks/callback-faults';

/** Maximum time for which a response waits for the receipt of the first status. */
const MAX_WAIT_FOR_RECEIPT_MS = 2_000;
/** Maximum time for which later statuses wait for an earlier one, which may be lost, so as not to overtake it. */
const MAX_WAIT_OF_REST_MS = 30_000;

export interface Outgoing {
  message: AcceptedMessage;
  number: BusinessNumber;
  send: CheckedSend;
  /** Callback faults that replace the injected ones. */
  forced?: Partial<Faults['callbacks']>;
}

type Priced = Outgoing & { price: Price | undefined };

/** Emits the statuses of an accepted message, each after its delay. */
export class StatusPlayer {
  constructor(
    private readonly delaysMs: SimulatorSettings['delaysMs'],
    private readonly scheduler: Scheduler,
    private readonly customers: Customers,
    private readonly faults: FaultStore,
    private readonly callbacks: FaultyCallbacks,
  ) {}

  /**
   * Emits the statuses of a message. Returns a promise only if the response must wait for the receipt of the first one.
   */
  play(outgoing: Outgoing, { steps, failure, price }: Outcome): Promise<void> | undefined {
    const waits = this.faults.happens((outgoing.forced ?? this.faults.current.callbacks).beforeAnswer ?? 0);
    const rest = waits ? steps.slice(1) : steps;
    const playRest = (): void => {
      for (const step of rest) this.scheduler.after(this.delaysMs[step], () => this.emit({ ...outgoing, price }, step));
      if (!failure) return;
      const delayMs = steps.length > 0 ? this.delaysMs.delivered : this.delaysMs.sent;
      this.scheduler.after(delayMs, () => this.emitFailed(outgoing, failure));
    };
    if (waits && steps.length > 0) return this.emitAndWait({ ...outgoing, price }, steps[0]!, playRest);
    playRest();
    return undefined;
  }

  /** @param playRest called once: when the status was received, or counts as lost */
  private emitAndWait(outgoing: Priced, status: string, playRest: () => void): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, MAX_WAIT_FOR_RECEIPT_MS).unref();
      const playOnce = once(playRest);
      setTimeout(playOnce, MAX_WAIT_OF_REST_MS).unref();
      this.emit(outgoing, status, () => {
        resolve();
        playOnce();
      });
    });
  }

  private emit(outgoing: Priced, status: string, onReceived?: () => void): void {
    const { number, send, forced, price } = outgoing;
    const userId = userIdOf(send.waId);
    const { username, hasParentUserId } = this.customers.people.find(send.waId) ?? {};
    const parentUserId = hasParentUserId ? parentUserIdOf(send.waId) : undefined;
    const contact = {
      profile: { name: this.customers.nameOf(number.id, send.waId), ...(username !== undefined && { username }) },
      ...(!send.byUserId && { wa_id: send.waId }),
      user_id: userId,
      ...(parentUserId !== undefined && { parent_user_id: parentUserId }),
    };
    const body = this.statusOf(outgoing, status);
    body.recipient_user_id = userId;
    if (parentUserId !== undefined) body.recipient_parent_user_id = parentUserId;
    if (status === 'sent') body.pricing = price;
    const update: StatusUpdate = { kind: 'status', number, status: body, contact, onReceived };
    this.callbacks.emit(update, forced);
  }

  private emitFailed(outgoing: Outgoing, { code, details }: Failure): void {
    const body = this.statusOf(outgoing, 'failed', code);
    body.errors = [callbackError(code, details)];
    this.callbacks.emit({ kind: 'status', number: outgoing.number, status: body }, outgoing.forced);
  }

  private statusOf({ message, send }: Outgoing, status: string, code?: number): UpstreamStatus {
    message.status = status;
    message.statuses.push({ status, at: new Date().toISOString(), code });
    return {
      id: message.wamid,
      status,
      timestamp: unixSeconds(),
      ...(!send.byUserId && { recipient_id: send.waId }),
      ...(send.opaque !== undefined && { biz_opaque_callback_data: send.opaque }),
    };
  }
}

/** Guards against duplicated callbacks, which are received twice. */
function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

/** Error format of callbacks, for failed statuses and unreadable messages. */
export function callbackError(code: number, details: string): CallbackError {
  const title = titleOf(code);
  return {
    code,
    title,
    message: title,
    error_data: { details },
    href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
  };
}

/** Returns the current Unix time in seconds, as a string like in callbacks. */
export function unixSeconds(): string {
  return String(Math.floor(Date.now() / 1_000));
}
