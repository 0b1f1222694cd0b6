import type { FaultStore } from '../control/faults';
import type { Scheduler } from '../scheduler';
import type { CallbackUpdate } from './callback-body';
import type { CallbackSender } from './callback-sender';

/** The longest that a shuffled update is held back; others overtake it. */
const SHUFFLE_SPREAD_MS = 2_000;

/** Lets updates get lost, doubled, late or out of order on their way to the sender, as the faults demand. */
export class FaultyCallbacks {
  private lost = 0;

  constructor(
    private readonly sender: CallbackSender,
    private readonly faults: FaultStore,
    private readonly scheduler: Scheduler,
  ) {}

  emit(update: CallbackUpdate): void {
    const { lose, duplicate } = this.faults.current.callbacks;
    if (this.faults.happens(lose)) {
      this.lost += 1;
      return;
    }
    this.send(update);
    if (this.faults.happens(duplicate)) this.send(update);
  }

  lostCount(): number {
    return this.lost;
  }

  reset(): void {
    this.lost = 0;
  }

  private send(update: CallbackUpdate): void {
    const { delayMs, shuffle } = this.faults.current.callbacks;
    const heldBackMs = delayMs + (this.faults.happens(shuffle) ? Math.random() * SHUFFLE_SPREAD_MS : 0);
    if (heldBackMs === 0) this.sender.enqueue(update);
    else this.scheduler.after(heldBackMs, () => this.sender.enqueue(update));
  }
}
