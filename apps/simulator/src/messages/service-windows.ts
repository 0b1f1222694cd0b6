const WINDOW_MS = 24 * 60 * 60 * 1_000;
const MAX_CUSTOMERS = 500_000;

interface Customer {
  name: string;
  lastInboundMs: number;
}

/** Who wrote to which of our numbers, and when: free-form messages may go out for 24 hours after that. */
export class ServiceWindows {
  private readonly customers = new Map<string, Customer>();

  /** The customer wrote; opens or renews the window. */
  open(phoneNumberId: string, waId: string, customer: Customer): void {
    const key = `${phoneNumberId}:${waId}`;
    this.customers.delete(key); // so that the map stays ordered by the last message
    this.customers.set(key, customer);
    if (this.customers.size <= MAX_CUSTOMERS) return;
    for (const oldest of this.customers.keys()) {
      this.customers.delete(oldest);
      return;
    }
  }

  isOpen(phoneNumberId: string, waId: string, nowMs: number): boolean {
    const customer = this.customers.get(`${phoneNumberId}:${waId}`);
    return customer !== undefined && nowMs - customer.lastInboundMs < WINDOW_MS;
  }

  /** The profile name the customer wrote in with; the number when we never heard of them. */
  nameOf(phoneNumberId: string, waId: string): string {
    return this.customers.get(`${phoneNumberId}:${waId}`)?.name ?? waId;
  }

  reset(): void {
    this.customers.clear();
  }
}
