import type { Faults, FaultStore } from '../faults';
import type { Scheduler } from '../scheduler';
import type { CallbackUpdate } from './callback-body';
import type { CallbackSender } from './callback-sender';

/** Maximum delay of a shuffled update, during which other updates overtake it. */
const SHUFFLE_SPREAD_MS = 2_000;
/** Maximum number of delayed updates, to bound memory. Further ones are lost. */
const MAX_HELD_BACK = 300_000;

/** Loses, duplicates, delays or reorders updates before they are sent, as configured. */
export class FaultyCallbacks {
  private lost = 0;
  private heldBack = 0;

  constructor(
    private readonly sender: CallbackSender,
    private readonly faults: FaultStore,
    private readonly scheduler: Scheduler,
    private readonly isSubscribed: (wabaId: string, field: string) => boolean,
  ) {}

  /** Emits an update if the app is subscribed to its field; `forced` replaces the injected faults. */
  emit(update: CallbackUpdate, forced?: Partial<Faults['callbacks']>): void {
    const isStatus = update.kind === 'status';
    const wabaId = isStatus ? update.number.wabaId : update.wabaId;
    if (!this.isSubscribed(wabaId, isStatus ? 'messages' : update.field)) {
      if (isStatus) update.onReceived?.();
      return;
    }
    const faults = forced ?? this.faults.current.callbacks;
    if (this.faults.happens(faults.lose ?? 0)) {
      this.lost += 1;
      return;
    }
    this.send(update, faults);
    if (this.faults.happens(faults.duplicate ?? 0)) this.send(update, faults);
  }

  lostCount(): number {
    return this.lost;
  }

  reset(): void {
    this.lost = 0;
    this.heldBack = 0;
  }

  private send(update: CallbackUpdate, { delayMs = 0, shuffle = 0 }: Partial<Faults['callbacks']>): void {
    const heldBackMs = delayMs + (this.faults.happens(shuffle) ? Math.random() * SHUFFLE_SPREAD_MS : 0);
    if (heldBackMs === 0) return this.sender.enqueue(update);
    if (this.heldBack >= MAX_HELD_BACK) {
      this.lost += 1;
      return;
    }
    this.heldBack += 1;
    this.scheduler.after(heldBackMs, () => {
      this.heldBack -= 1;
      this.sender.enqueue(update);
    });
  }
}
