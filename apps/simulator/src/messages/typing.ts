/** How long a phone shows that the business is writing, unless it writes before. */
const SHOWN_MS = 25_000;
const MAX_SHOWN = 1_000;

/** Which customers see that a business number is writing to them. */
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

  /** Whether any number is writing to the customer. */
  isShownTo(customer: string, nowMs: number): boolean {
    return [...this.until].some(([key, until]) => key.endsWith(` ${customer}`) && until > nowMs);
  }

  reset(): void {
    this.until.clear();
  }
}
