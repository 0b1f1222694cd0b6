import { Amount } from './amounts';
import { countryOf } from './country';
import { isMarket, MARKETS } from './markets';
import { marketOf, priceOf, type Rate, rateCardOf } from './rate-card';

const rate = (market: string, category: Rate['category'], amount: string, validFrom: string): Rate => ({
  market,
  category,
  currency: 'USD',
  amount,
  validFrom,
});
const card = rateCardOf([
  rate('India', 'utility', '0.0014', '2026-07-01'),
  rate('India', 'utility', '0.0015', '2026-10-01'),
  rate('India', 'service', '0.0015', '2026-10-01'),
  rate('Rest of Asia Pacific', 'utility', '0.0113', '2026-07-01'),
  rate('Nepal', 'utility', '0.0090', '2026-10-01'),
  rate('Nepal', 'utility', '0.0091', '2027-01-01'),
]);
const on = (day: string) => new Date(`${day}T12:00:00Z`);

describe('the price of a message', () => {
  it('is the latest rate that is valid on its day', () => {
    expect(priceOf(card, 'India', 'utility', on('2026-09-30'))).toEqual({ amount: '0.0014', currency: 'USD' });
    expect(priceOf(card, 'India', 'utility', new Date('2026-10-01T00:00:00Z'))?.amount).toBe('0.0015');
  });

  it('is null without a rate', () => {
    expect(priceOf(card, 'India', 'utility', on('2026-06-30'))).toBeNull();
    expect(priceOf(card, 'India', 'service', on('2026-09-30'))).toBeNull();
    expect(priceOf(card, 'India', 'marketing', on('2026-10-01'))).toBeNull();
    expect(priceOf(card, 'Other', 'utility', on('2026-10-01'))).toBeNull();
  });

  it('is in the currency of the rate card', () => {
    const euros = rateCardOf([{ ...rate('India', 'utility', '0.0013', '2026-07-01'), currency: 'EUR' }]);
    expect(priceOf(euros, 'India', 'utility', on('2026-07-01'))?.currency).toBe('EUR');
  });
});

describe('the market of a country', () => {
  it.each([
    ['IN', 'India'],
    ['DE', 'Germany'],
    ['GG', 'United Kingdom'],
    ['VI', 'North America'],
    ['AX', 'Rest of Western Europe'],
    ['US', 'North America'],
    ['CA', 'North America'],
    ['KE', 'Rest of Africa'],
    ['AT', 'Rest of Western Europe'],
    ['PL', 'Rest of Central & Eastern Europe'],
    ['UY', 'Rest of Latin America'],
    ['QA', 'Rest of Middle East'],
    ['KZ', 'Other'],
    ['LU', 'Other'],
    [null, 'Other'],
  ])('of %s is %s', (country, market) => {
    expect(marketOf(card, country, on('2026-11-28'))).toBe(market);
  });

  it('is the country itself once the card lists it', () => {
    expect(marketOf(card, 'NP', on('2026-09-30'))).toBe('Rest of Asia Pacific');
    expect(marketOf(card, 'NP', on('2026-10-01'))).toBe('Nepal');
  });

  it('has a name that is unique', () => {
    expect(new Set(MARKETS).size).toBe(MARKETS.length);
    expect(['India', 'North America', 'Other', 'Nepal', 'South Korea'].every(isMarket)).toBe(true);
    expect(isMarket('india')).toBe(false);
  });
});

describe('the country of a recipient', () => {
  it.each([
    ['919812345678', 'IN'],
    ['12125550123', 'US'],
    ['14165550123', 'CA'],
    ['18765550123', 'JM'],
    ['77012345678', 'KZ'],
    ['79161234567', 'RU'],
    ['447400123456', 'GB'],
    ['447911123456', 'GG'],
    ['IN.10000000000000000001', 'IN'],
    ['US.ENT.abc', 'US'],
    ['99999999', null],
  ])('%s is %s', (recipient, country) => {
    expect(countryOf(recipient)).toBe(country);
  });
});

describe('amounts', () => {
  it('add up exactly', () => {
    expect(new Amount().add('0.1', 3).toString()).toBe('0.30');
    expect(new Amount().add('0.0014', 1_000_000).add('0.00000001').toString()).toBe('1400.00000001');
    expect(new Amount().add('999999999.99999999', 1_000_000).toString()).toBe('999999999999999.99');
    expect(new Amount().toString()).toBe('0.00');
  });
});
