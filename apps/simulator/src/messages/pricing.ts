import type { UpstreamStatus } from '@switchboard/upstream';
import type { CheckedSend } from './validate-message';

const HOUR_MS = 3_600_000;
/** The platform charges for messages in the service window from this time on. */
const SERVICE_CHARGED_FROM_MS = Date.parse('2026-10-01T00:00:00Z');
/** A reply within this time after a click on an ad opens the free entry point. */
const ENTRY_REPLY_MS = 24 * HOUR_MS;
const ENTRY_MS = 72 * HOUR_MS;
const MAX_ENTRIES = 200_000;

export type Price = NonNullable<UpstreamStatus['pricing']>;

export interface PricingSettings {
  /** Time by which messages are priced; the current time if null. */
  date: Date | null;
  /** Free service messages per business number and calendar month (UTC), from 2026-10-01 on. */
  freeServiceMessages: number;
}

interface Entry {
  clickedMs: number;
  /** Time of the first reply within 24 hours of the click. */
  repliedMs?: number;
}

/** Prices of messages, by category, date, service window and free entry point. */
export class Pricing {
  current: PricingSettings;
  private readonly entries = new Map<string, Entry>();
  /** Free service messages that each number used in its last month with any. */
  private readonly used = new Map<string, { month: string; messages: number }>();

  constructor(private readonly atFirst: PricingSettings) {
    this.current = atFirst;
  }

  /** Records a message that came from an ad or a post. */
  cameFromAd(phoneNumberId: string, waId: string, clickedMs: number): void {
    const key = keyOf(phoneNumberId, waId);
    this.entries.delete(key); // keeps the map ordered by the last click
    this.entries.set(key, { clickedMs });
    if (this.entries.size > MAX_ENTRIES) this.entries.delete(this.entries.keys().next().value!);
  }

  /** Returns the price of a message that is sent now. */
  priceOf(
    phoneNumberId: string,
    send: CheckedSend,
    { hasWindow, nowMs }: { hasWindow: boolean; nowMs: number },
  ): Price {
    if (this.isFreeEntry(keyOf(phoneNumberId, send.waId), nowMs))
      return free('free_entry_point', 'referral_conversion');
    const category = send.isMarketing ? 'marketing_lite' : (send.template?.category.toLowerCase() ?? 'service');
    const isFree =
      this.pricedAtMs(nowMs) < SERVICE_CHARGED_FROM_MS
        ? hasWindow && (category === 'service' || category === 'utility')
        : category === 'service' && this.usedOf(phoneNumberId, nowMs).messages < this.current.freeServiceMessages;
    if (isFree) return free('free_customer_service', category);
    return { billable: true, pricing_model: 'PMP', type: 'regular', category };
  }

  /** Records a message that was sent: it may open a free entry point, or use the allowance of its number. */
  wasSent(phoneNumberId: string, waId: string, { price, nowMs }: { price: Price; nowMs: number }): void {
    const entry = this.entries.get(keyOf(phoneNumberId, waId));
    if (entry && nowMs - entry.clickedMs < ENTRY_REPLY_MS) entry.repliedMs ??= nowMs;
    if (price.category !== 'service' || this.pricedAtMs(nowMs) < SERVICE_CHARGED_FROM_MS) return;
    const { month, messages } = this.usedOf(phoneNumberId, nowMs);
    this.used.set(phoneNumberId, { month, messages: messages + 1 });
  }

  reset(): void {
    this.entries.clear();
    this.used.clear();
    this.current = this.atFirst;
  }

  private isFreeEntry(key: string, nowMs: number): boolean {
    const entry = this.entries.get(key);
    if (!entry) return false;
    if (entry.repliedMs === undefined) return nowMs - entry.clickedMs < ENTRY_REPLY_MS;
    return nowMs - entry.repliedMs < ENTRY_MS;
  }

  private usedOf(phoneNumberId: string, nowMs: number): { month: string; messages: number } {
    const month = new Date(this.pricedAtMs(nowMs)).toISOString().slice(0, 7);
    const used = this.used.get(phoneNumberId);
    return used?.month === month ? used : { month, messages: 0 };
  }

  private pricedAtMs(nowMs: number): number {
    return this.current.date?.getTime() ?? nowMs;
  }
}

const free = (type: string, category: string): Price => ({ billable: false, pricing_model: 'PMP', type, category });
const keyOf = (phoneNumberId: string, waId: string): string => `${phoneNumberId}:${waId}`;
