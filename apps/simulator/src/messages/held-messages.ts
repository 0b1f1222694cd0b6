export const HELD_STATUSES = ['held_for_quality_assessment', 'paused'] as const;
export type HeldStatus = (typeof HELD_STATUSES)[number];

const MAX_WAITING = 10_000;

interface Hold {
  status: HeldStatus;
  /** What becomes of each message when it is released: sent on, or dropped. */
  waiting: ((isDropped: boolean) => void)[];
}

/** Messages of templates that the platform took and holds back, until it is told to send or to drop them. */
export class HeldMessages {
  private readonly holds = new Map<string, Hold>();

  /** From now on the messages of a template that leave from a number are held back. */
  hold(numberId: string, template: string, status: HeldStatus): void {
    this.holds.set(`${numberId} ${template}`, { status, waiting: this.find(numberId, template)?.waiting ?? [] });
  }

  /**
   * Keeps a message back when its template is held.
   * @returns what the platform answers to the send then; undefined when it goes on at once
   */
  keep(numberId: string, template: string | undefined, release: (isDropped: boolean) => void): HeldStatus | undefined {
    const hold = template === undefined ? undefined : this.find(numberId, template);
    if (!hold || hold.waiting.length >= MAX_WAITING) return undefined;
    hold.waiting.push(release);
    return hold.status;
  }

  /** Ends a hold. @returns how many messages were held */
  release(numberId: string, template: string, isDropped: boolean): number {
    const waiting = this.find(numberId, template)?.waiting ?? [];
    this.holds.delete(`${numberId} ${template}`);
    for (const release of waiting) release(isDropped);
    return waiting.length;
  }

  reset(): void {
    this.holds.clear();
  }

  private find(numberId: string, template: string): Hold | undefined {
    return this.holds.get(`${numberId} ${template}`);
  }
}
