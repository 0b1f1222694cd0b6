import type { UpstreamStatus } from '@switchboard/upstream';
import type { SimulatorSettings } from '../config';
import { titleOf } from '../graph-error';
import type { MessageLog } from '../messages/message-log';
import type { ServiceWindows } from '../messages/service-windows';
import type { CheckedSend } from '../messages/validate-message';
import type { BusinessNumber } from '../numbers/number-store';
import type { Scheduler } from '../scheduler';
import type { StatusUpdate } from './callback-body';
import type { FaultyCallbacks } from './callback-faults';

const WINDOW_CLOSED = 131047;
const WINDOW_DETAILS =
  'Message failed to send because more than 24 hours have passed since the customer last replied to this number.';

/** A message whose statuses are still to come. */
export interface Outgoing {
  wamid: string;
  number: BusinessNumber;
  send: CheckedSend;
}

/** Plays what happens to an accepted message: sent, delivered, read; or failed when the window is closed. */
export class StatusPlayer {
  constructor(
    private readonly delaysMs: SimulatorSettings['delaysMs'],
    private readonly scheduler: Scheduler,
    private readonly windows: ServiceWindows,
    private readonly log: MessageLog,
    private readonly callbacks: FaultyCallbacks,
  ) {}

  play(outgoing: Outgoing): void {
    const { number, send } = outgoing;
    const { sent, delivered, read } = this.delaysMs;
    const inWindow = this.windows.isOpen(number.id, send.waId, Date.now());
    // Free-form text outside the window is accepted first and fails afterwards: that is how the platform does it.
    if (!send.template && !inWindow) return this.scheduler.after(sent, () => this.emitFailed(outgoing));
    this.scheduler.after(sent, () => this.emit(outgoing, 'sent', { pricing: pricingOf(send, inWindow) }));
    this.scheduler.after(delivered, () => this.emit(outgoing, 'delivered'));
    this.scheduler.after(read, () => this.emit(outgoing, 'read'));
  }

  private emit({ wamid, number, send }: Outgoing, status: string, more: Partial<UpstreamStatus> = {}): void {
    const userId = userIdOf(send.waId);
    const contact = { profile: { name: this.windows.nameOf(number.id, send.waId) }, wa_id: send.waId, user_id: userId };
    this.callbacks.emit({ ...this.update(wamid, number, send, status, { recipient_user_id: userId, ...more }), contact });
  }

  private emitFailed({ wamid, number, send }: Outgoing): void {
    const title = titleOf(WINDOW_CLOSED);
    const error = {
      code: WINDOW_CLOSED,
      title,
      message: title,
      error_data: { details: WINDOW_DETAILS },
      href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
    };
    this.callbacks.emit(this.update(wamid, number, send, 'failed', { errors: [error] }));
  }

  private update(wamid: string, number: BusinessNumber, send: CheckedSend, status: string, more: Partial<UpstreamStatus>): StatusUpdate {
    this.log.setStatus(wamid, status);
    const body: UpstreamStatus = {
      id: wamid,
      status,
      timestamp: unixSeconds(),
      recipient_id: send.waId,
      ...(send.opaque !== undefined && { biz_opaque_callback_data: send.opaque }),
      ...more,
    };
    return { kind: 'status', number, status: body };
  }
}

/** Seconds since 1970 as callbacks write them: a string. */
export function unixSeconds(): string {
  return String(Math.floor(Date.now() / 1_000));
}

/** The account-scoped id of a user: stable for the number. */
export function userIdOf(waId: string): string {
  return `US.1${waId.padStart(19, '0')}`;
}

function pricingOf(send: CheckedSend, inWindow: boolean): UpstreamStatus['pricing'] {
  const category = send.template?.category.toLowerCase() ?? 'service';
  const isFree = inWindow && (category === 'service' || category === 'utility');
  return { billable: !isFree, pricing_model: 'PMP', type: isFree ? 'free_customer_service' : 'regular', category };
}
