/** Duration of a typing indicator, unless a message ends it. */
const SHOWN_MS = 25_000;
const MAX_SHOWN = 1_000;

/** Active typing indicators per business number and customer. */
export class Typing {
  private readonly until = new Map<string, number>();

  begin(phoneNumberId: string, customer: string, nowMs: number): void {
    const key = `${phoneNumberId} ${customer}`;
    this.until.delete(key);
    this.until.set(key, nowMs + SHOWN_MS);
    if (this.until.size > MAX_SHOWN) this.until.delete(this.until.keys().next().value!);
  }

  end(phoneNumberId: string, customer: string): void {
    this.until.delete(`${phoneNumberId} ${customer}`);
  }

  /** Returns true if any number shows a typing indicator to the customer. */
  isShownTo(customer: string, nowMs: number): boolean {
    return [...this.until].some(([key, until]) => key.endsWith(` ${customer}`) && until > nowMs);
  }

  reset(): void {
    this.until.clear();
  }
}
