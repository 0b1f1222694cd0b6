import { Pricing } from './pricing';
import type { CheckedSend } from './validate-message';

const HOUR_MS = 3_600_000;
const [NUMBER, CUSTOMER] = ['200000000000001', '919812345678'];
const NOW_MS = Date.parse('2026-11-28T10:00:00Z');
const text = { waId: CUSTOMER } as CheckedSend;
const template = (category: string): CheckedSend => ({ waId: CUSTOMER, template: { category } }) as CheckedSend;

describe('simulator pricing', () => {
  const pricingAt = (date: string | null, freeServiceMessages = 1_000) =>
    new Pricing({ date: date === null ? null : new Date(date), freeServiceMessages });
  const priceOf = (pricing: Pricing, send: CheckedSend, { hasWindow = true, nowMs = NOW_MS } = {}) =>
    pricing.priceOf(NUMBER, send, { hasWindow, nowMs });
  const send = (pricing: Pricing, sent: CheckedSend, nowMs = NOW_MS) => {
    const price = priceOf(pricing, sent, { nowMs });
    pricing.wasSent(NUMBER, sent.waId, { price, nowMs });
    return price;
  };

  it('is free for service and utility in the window until 2026-09-30', () => {
    const pricing = pricingAt('2026-09-30T23:59:59Z', 0);
    const free = { billable: false, pricing_model: 'PMP', type: 'free_customer_service' };
    expect(priceOf(pricing, text)).toEqual({ ...free, category: 'service' });
    expect(priceOf(pricing, template('UTILITY'))).toEqual({ ...free, category: 'utility' });
    expect(priceOf(pricing, template('UTILITY'), { hasWindow: false })).toMatchObject({ billable: true });
  });

  it('is billable for service and utility in the window from 2026-10-01', () => {
    const pricing = pricingAt('2026-10-01', 0);
    const regular = { billable: true, pricing_model: 'PMP', type: 'regular' };
    expect(priceOf(pricing, text)).toEqual({ ...regular, category: 'service' });
    expect(priceOf(pricing, template('UTILITY'))).toEqual({ ...regular, category: 'utility' });
  });

  it.each(['2026-09-30', '2026-10-01'])('is billable for marketing and authentication on %s', (date) => {
    const pricing = pricingAt(date);
    for (const category of ['MARKETING', 'AUTHENTICATION'])
      expect(priceOf(pricing, template(category))).toMatchObject({ billable: true, category: category.toLowerCase() });
    expect(priceOf(pricing, { ...template('MARKETING'), isMarketing: true })).toMatchObject({
      billable: true,
      category: 'marketing_lite',
    });
  });

  it('is free for the first service messages of a number per month', () => {
    const pricing = pricingAt(null, 2);
    expect([1, 2, 3].map(() => send(pricing, text).billable)).toEqual([false, false, true]);
    expect(pricing.priceOf('another', text, { hasWindow: true, nowMs: NOW_MS }).billable).toBe(false);
    expect(send(pricing, text, Date.parse('2026-12-01T00:00:00Z')).billable).toBe(false);
  });

  it('counts only service messages from 2026-10-01 on, until it is reset', () => {
    const pricing = pricingAt(null, 1);
    send(pricing, template('MARKETING'));
    expect(send(pricing, text).billable).toBe(false);
    pricing.current.date = new Date('2026-09-30');
    send(pricing, text);
    pricing.current.date = null;
    expect(send(pricing, text).billable).toBe(true);
    pricing.reset();
    expect(send(pricing, text).billable).toBe(false);
  });

  it('is free for 72 hours after a reply to an ad click', () => {
    const pricing = pricingAt(null, 0);
    pricing.cameFromAd(NUMBER, CUSTOMER, NOW_MS - HOUR_MS);
    const free = { billable: false, pricing_model: 'PMP', type: 'free_entry_point', category: 'referral_conversion' };
    expect(send(pricing, text)).toEqual(free);
    expect(send(pricing, template('MARKETING'), NOW_MS + 72 * HOUR_MS - 1)).toEqual(free);
    expect(send(pricing, template('MARKETING'), NOW_MS + 72 * HOUR_MS)).toMatchObject({ billable: true });
  });

  it('starts the free period at the first reply within 24 hours', () => {
    const clickedAt = (hours: number) => {
      const pricing = pricingAt(null, 0);
      pricing.cameFromAd(NUMBER, CUSTOMER, NOW_MS - hours * HOUR_MS);
      return pricing;
    };
    const early = clickedAt(23);
    expect(priceOf(early, text)).toMatchObject({ billable: false });
    expect(early.priceOf('another', text, { hasWindow: true, nowMs: NOW_MS })).toMatchObject({ billable: true });
    send(early, text);
    send(early, text, NOW_MS + HOUR_MS / 2);
    expect(priceOf(early, text, { nowMs: NOW_MS + 72 * HOUR_MS })).toMatchObject({ billable: true });
    const late = clickedAt(25);
    send(late, text);
    expect(priceOf(late, text, { nowMs: NOW_MS + 1 })).toMatchObject({ billable: true });
  });

  it('evicts the chats with the oldest ad clicks', () => {
    const pricing = pricingAt(null, 0);
    pricing.cameFromAd(NUMBER, CUSTOMER, NOW_MS);
    pricing.cameFromAd(NUMBER, 'second', NOW_MS);
    pricing.cameFromAd(NUMBER, CUSTOMER, NOW_MS);
    for (let other = 0; other < 199_999; other += 1) pricing.cameFromAd(NUMBER, String(other), NOW_MS);
    expect(priceOf(pricing, text)).toMatchObject({ billable: false });
    expect(priceOf(pricing, { waId: 'second' } as CheckedSend)).toMatchObject({ billable: true });
  });

  it('charges if no reply followed the click within 24 hours', () => {
    const pricing = pricingAt(null, 0);
    pricing.cameFromAd(NUMBER, CUSTOMER, NOW_MS - 24 * HOUR_MS);
    expect(send(pricing, text)).toMatchObject({ billable: true });
  });
});
