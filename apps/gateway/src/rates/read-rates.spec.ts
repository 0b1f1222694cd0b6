import { AppError } from '@switchboard/contracts';
import { readRates } from './read-rates';

const HEADER = 'market,category,currency,amount,validFrom,source';
const INDIA = 'India,utility,USD,0.0014,2026-10-01,sample';
const file = (...lines: string[]): string => `${[HEADER, ...lines].join('\n')}\n`;

function faultsOf(text: string): string[] {
  try {
    readRates(text);
  } catch (error) {
    if (error instanceof AppError && error.code === 'FILE_INVALID')
      return (error.details ?? []).map(({ message }) => message);
    throw error;
  }
  return [];
}

describe('a rate card as CSV', () => {
  it('has one rate per line', () => {
    expect(readRates(file(INDIA, '"Rest of Central & Eastern Europe",service,USD,1,2026-10-01,"a, b"'))).toEqual([
      {
        market: 'India',
        category: 'utility',
        currency: 'USD',
        amount: '0.0014',
        validFrom: '2026-10-01',
        source: 'sample',
      },
      {
        market: 'Rest of Central & Eastern Europe',
        category: 'service',
        currency: 'USD',
        amount: '1',
        validFrom: '2026-10-01',
        source: 'a, b',
      },
    ]);
  });

  it('may have columns in any order and case, and unknown columns', () => {
    const text =
      '\uFEFFSource,note,AMOUNT,ValidFrom,Currency,Category,Market\r\n\r\ns,x,2,2026-10-01,EUR,service,Other\r\n';
    expect(readRates(text)).toEqual([
      { market: 'Other', category: 'service', currency: 'EUR', amount: '2', validFrom: '2026-10-01', source: 's' },
    ]);
  });

  it.each([
    [
      'Atlantis,utility,USD,1,2026-10-01,s',
      'line 3: unknown market "Atlantis": use a name such as India or Rest of Africa',
    ],
    [',utility,USD,1,2026-10-01,s', 'line 3: unknown market "": use a name such as India or Rest of Africa'],
    ['Other,promo,USD,1,2026-10-01,s', 'line 3: category must be one of marketing, '],
    ['Other,utility,usd,1,2026-10-01,s', 'line 3: currency must have three capital letters'],
    ['Other,utility,EUR,1,2026-10-01,s', 'line 3: currency must be USD, as before'],
    ['Other,utility,USD,"1,5",2026-10-01,s', 'line 3: amount must be a number'],
    ['Other,utility,USD,-1,2026-10-01,s', 'line 3: amount must be a number'],
    ['Other,utility,USD,1.123456789,2026-10-01,s', 'line 3: amount must be a number'],
    ['Other,utility,USD,1,2026-02-30,s', 'line 3: validFrom must be a day'],
    ['Other,utility,USD,1,0000-01-01,s', 'line 3: validFrom must be a day'],
    ['Other,utility,USD,1,2026-10-01,', 'line 3: source must have 1 to 200 characters'],
    [INDIA, 'line 3: repeats the market, category and day of line 2'],
    ['Other,utility', 'Invalid Record Length'],
  ])('rejects %s', (line, fault) => {
    expect(faultsOf(file(INDIA, line))).toEqual([expect.stringContaining(fault) as string]);
  });

  it('reports all errors with their lines', () => {
    const faults = faultsOf(file('Atlantis,utility,USD,1,2026-10-01,s', INDIA, 'Other,utility,USD,x,2026-10-01,s'));
    expect(faults.map((fault) => fault.slice(0, 7))).toEqual(['line 2:', 'line 4:']);
    expect(faultsOf(file(...Array.from({ length: 30 }, () => 'Atlantis,utility,USD,1,2026-10-01,s')))).toHaveLength(20);
  });

  it.each([
    ['', 'the file has no rates'],
    [`${HEADER}\n`, 'the file has no rates'],
    ['market,category\n', 'line 1: no column currency, amount, validFrom, source'],
    [`${HEADER},AMOUNT\n${INDIA},9\n`, 'line 1: more than one column amount'],
  ])('rejects a file without rates or columns: %j', (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  it('has at most 3,000 rates', () => {
    expect(faultsOf(file(...Array.from({ length: 3_001 }, () => INDIA)))).toEqual([
      'the file has more than 3000 rates',
    ]);
  });
});
