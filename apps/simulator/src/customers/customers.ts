import { BlockList } from './block-list';
import { People } from './people';

const WINDOW_MS = 24 * 60 * 60 * 1_000;
const MAX_CUSTOMERS = 200_000;

interface Customer {
  name: string;
  lastInboundMs: number;
}

/** Tracks service windows: a customer's message allows free-form messages from the business number for 24 hours. */
export class Customers {
  private readonly customers = new Map<string, Customer>();
  readonly blocked = new BlockList();
  readonly people = new People();
  /** Customers who opted out of marketing messages from a number. */
  private readonly stopped = new Set<string>();

  /** Records a customer's message, which opens or renews the window. */
  wrote(phoneNumberId: string, waId: string, customer: Customer): void {
    const key = keyOf(phoneNumberId, waId);
    this.customers.delete(key); // Keep the map ordered by the last message.
    this.customers.set(key, customer);
    if (this.customers.size > MAX_CUSTOMERS) this.customers.delete(this.customers.keys().next().value!);
  }

  hasOpenWindow(phoneNumberId: string, waId: string, nowMs: number): boolean {
    const customer = this.customers.get(keyOf(phoneNumberId, waId));
    return customer !== undefined && nowMs - customer.lastInboundMs < WINDOW_MS;
  }

  /** Returns the profile name in the last message, otherwise the described name, otherwise the number. */
  nameOf(phoneNumberId: string, waId: string): string {
    return this.customers.get(keyOf(phoneNumberId, waId))?.name ?? this.people.find(waId)?.name ?? waId;
  }

  stopMarketing(phoneNumberId: string, waId: string): void {
    if (this.stopped.size < MAX_CUSTOMERS) this.stopped.add(keyOf(phoneNumberId, waId));
  }

  resumeMarketing(phoneNumberId: string, waId: string): void {
    this.stopped.delete(keyOf(phoneNumberId, waId));
  }

  wantsMarketing(phoneNumberId: string, waId: string): boolean {
    return !this.stopped.has(keyOf(phoneNumberId, waId));
  }

  reset(): void {
    this.customers.clear();
    this.stopped.clear();
    this.blocked.reset();
    this.people.reset();
  }
}

const keyOf = (phoneNumberId: string, waId: string): string => `${phoneNumberId}:${waId}`;
