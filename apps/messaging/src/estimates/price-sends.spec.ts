import { rateCardOf } from '@switchboard/pricing';
import { type PricedSends, priceSends } from './price-sends';
import type { RecipientState } from './estimates.queries';

const ASHA = '919812345678';
const NOW = new Date('2026-11-28T10:00:00Z');
const rate = (category: string, amount: string) => ({
  market: 'India',
  category: category as 'utility',
  currency: 'USD',
  amount,
  validFrom: '2026-01-01',
});
const STATE: RecipientState = {
  position: '1',
  isBlocked: false,
  isBlockedUpstream: false,
  isOptedOut: false,
  hasWindow: false,
  isEntryPoint: false,
};

function sendsOf(category: string | undefined, state: Partial<RecipientState>, more: Partial<PricedSends> = {}) {
  return priceSends({
    card: rateCardOf([rate('marketing', '0.0118'), rate('marketing_lite', '0.0100'), rate('utility', '0.0015')]),
    currency: 'USD',
    category,
    from: '15550783881',
    number: { id: 'num', isByMarketingEndpoint: false, isWindowUnchecked: false },
    at: NOW,
    recipients: [ASHA],
    states: new Map([[0, { ...STATE, ...state }]]),
    ...more,
  });
}

describe('priceSends', () => {
  it('prices marketing templates by the endpoint of the number', () => {
    const number = { id: 'num', isByMarketingEndpoint: true, isWindowUnchecked: false };
    expect(sendsOf('MARKETING', {}).groups).toMatchObject([{ category: 'marketing', lowest: '0.0118' }]);
    expect(sendsOf('MARKETING', {}, { number }).groups).toMatchObject([
      { category: 'marketing_lite', lowest: '0.0100' },
    ]);
    expect(sendsOf('UTILITY', {}, { number }).groups).toMatchObject([{ category: 'utility' }]);
  });

  it('rejects blocked contacts before opted-out ones', () => {
    const both = { isBlocked: true, isBlockedUpstream: true, isOptedOut: true };
    expect(sendsOf('MARKETING', both).rejections).toEqual([
      { index: 0, reason: 'blocked', code: 'RECIPIENT_OPTED_OUT' },
    ]);
    expect(sendsOf('MARKETING', { ...both, isBlocked: false }).rejections).toMatchObject([
      { code: 'RECIPIENT_BLOCKED' },
    ]);
  });

  it('counts messages outside a window towards the limit', () => {
    expect(sendsOf('UTILITY', {}).initiated).toBe(1);
    expect(sendsOf('UTILITY', { hasWindow: true }).initiated).toBe(0);
    expect(sendsOf(undefined, {}).initiated).toBe(0);
  });

  it('has no price without a rate', () =>
    expect(sendsOf('AUTHENTICATION', {}).groups).toMatchObject([{ lowest: null, highest: null, free: null }]));
});
