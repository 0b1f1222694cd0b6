import { rateCardOf } from '@switchboard/pricing';
import type { EstimatedNumber, RecipientState } from './estimates.queries';
import { type PricedSends, priceSends, type Sender } from './price-sends';

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

const NUMBER: EstimatedNumber = {
  id: 'num',
  phoneNumber: '15550783881',
  isByMarketingEndpoint: false,
  isWindowUnchecked: false,
  capCurrency: null,
};
const senderOf = (state: Partial<RecipientState>, number: Partial<EstimatedNumber> = {}): Sender => ({
  number: { ...NUMBER, ...number },
  states: new Map([[0, { ...STATE, ...state }]]),
});

function sendsOf(
  category: string | undefined,
  senders: Partial<RecipientState> | Sender[],
  more: Partial<PricedSends> = {},
) {
  return priceSends({
    card: rateCardOf([rate('marketing', '0.0118'), rate('marketing_lite', '0.0100'), rate('utility', '0.0015')]),
    category,
    senders: Array.isArray(senders) ? senders : [senderOf(senders)],
    at: NOW,
    recipients: [ASHA],
    isCapped: false,
    ...more,
  });
}

describe('priceSends', () => {
  it('prices marketing templates by the endpoint that the number uses', () => {
    const lite = [senderOf({}, { isByMarketingEndpoint: true })];
    expect(sendsOf('MARKETING', {}).groups).toMatchObject([{ category: 'marketing', lowest: '0.0118' }]);
    expect(sendsOf('MARKETING', lite).groups).toMatchObject([{ category: 'marketing_lite', lowest: '0.0100' }]);
    expect(sendsOf('UTILITY', lite).groups).toMatchObject([{ category: 'utility' }]);
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

  it('counts messages outside a service window towards the messaging limit', () => {
    expect(sendsOf('UTILITY', {}).initiated).toBe(1);
    expect(sendsOf('UTILITY', { hasWindow: true }).initiated).toBe(0);
    expect(sendsOf(undefined, {}).initiated).toBe(0);
  });

  it('returns null prices without a rate', () =>
    expect(sendsOf('AUTHENTICATION', {}).groups).toMatchObject([{ lowest: null, highest: null, free: null }]));

  it('rejects a message without a rate if a cap applies', () => {
    const { groups, rejections } = sendsOf('AUTHENTICATION', {}, { isCapped: true });
    expect(groups).toEqual([]);
    expect(rejections).toEqual([{ index: 0, reason: 'rate_unknown', code: 'RATE_UNKNOWN' }]);
    expect(sendsOf('UTILITY', {}, { isCapped: true }).groups).toMatchObject([{ reserved: '0.0015' }]);
    expect(sendsOf('AUTHENTICATION', [senderOf({}, { capCurrency: 'USD' })]).rejections).toEqual(rejections);
    expect(sendsOf('UTILITY', [senderOf({}, { capCurrency: 'USD' })]).groups).toMatchObject([{ reserved: '0.0015' }]);
    // The rate card was replaced by one in another currency.
    expect(sendsOf('UTILITY', [senderOf({}, { capCurrency: 'EUR' })]).rejections).toEqual(rejections);
  });

  it('accepts a text if any number has an open window', () => {
    const closed = senderOf({});
    expect(sendsOf(undefined, [closed, senderOf({ hasWindow: true })])).toMatchObject({
      rejections: [],
      groups: [{ messages: 1 }],
      initiated: 0,
    });
    expect(sendsOf(undefined, [closed, closed]).rejections).toMatchObject([{ code: 'WINDOW_CLOSED' }]);
  });

  it('rejects a contact only if every number blocks it', () => {
    const blocking = senderOf({ isBlockedUpstream: true });
    expect(sendsOf('UTILITY', [blocking, blocking]).rejections).toMatchObject([{ code: 'RECIPIENT_BLOCKED' }]);
    expect(sendsOf('UTILITY', [blocking, senderOf({})])).toMatchObject({
      rejections: [],
      groups: [{ lowest: '0.00', highest: '0.0015', free: null }],
    });
  });

  it('returns the price range across several numbers', () => {
    const lite = senderOf({}, { isByMarketingEndpoint: true });
    expect(sendsOf('MARKETING', [senderOf({}), lite]).groups).toMatchObject([
      { category: 'marketing', lowest: '0.0100', highest: '0.0118' },
    ]);
    const entry = senderOf({ hasWindow: true, isEntryPoint: true });
    expect(sendsOf('UTILITY', [entry, senderOf({})]).groups).toMatchObject([
      { free: null, lowest: '0.00', highest: '0.0015' },
    ]);
    expect(sendsOf('UTILITY', [entry, entry]).groups).toMatchObject([{ free: 'free_entry_point' }]);
  });
});
