export const HELD_STATUSES = ['held_for_quality_assessment', 'paused'] as const;
export type HeldStatus = (typeof HELD_STATUSES)[number];

const MAX_WAITING = 10_000;

interface Hold {
  status: HeldStatus;
  /** Called for each message when the hold ends, to send or drop the message. */
  waiting: ((isDropped: boolean) => void)[];
}

/** Accepted template messages that are held until they are released or dropped. */
export class HeldMessages {
  private readonly holds = new Map<string, Hold>();

  /** Holds all future messages of a template from a number. */
  hold(numberId: string, template: string, status: HeldStatus): void {
    this.holds.set(`${numberId} ${template}`, { status, waiting: this.find(numberId, template)?.waiting ?? [] });
  }

  /**
   * Holds a message if its template is held.
   * @returns the status for the response, or undefined when the message is not held
   */
  keep(numberId: string, template: string | undefined, release: (isDropped: boolean) => void): HeldStatus | undefined {
    const hold = template === undefined ? undefined : this.find(numberId, template);
    if (!hold || hold.waiting.length >= MAX_WAITING) return undefined;
    hold.waiting.push(release);
    return hold.status;
  }

  /** Ends a hold. @returns the number of held messages */
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
