import fc from 'fast-check';
import {
  failsWholeBatch,
  isConnectionSpent,
  isDatabaseAway,
  isDatabaseBusy,
  isDatabaseUnavailable,
  isDatabaseUnreached,
} from './database-errors';

const withCode = (code: string): Error => Object.assign(new Error('failed'), { code });
const CHARACTERS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const stateOf = (...classes: string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...classes), fc.array(fc.constantFrom(...CHARACTERS), { minLength: 3, maxLength: 3 }))
    .map(([start, rest]) => `${start}${rest.join('')}`);

describe('a database error', () => {
  it('is an outage in a server error class', () => {
    fc.assert(
      fc.property(stateOf('08', '53', '58'), (code) => {
        const error = withCode(code);
        expect([isDatabaseAway(error), failsWholeBatch(error), isConnectionSpent(error)]).toEqual([true, true, true]);
      }),
    );
  });

  it('is no outage in a statement or data error class', () => {
    const ofStatements = ['02', '0A', '21', '22', '23', '26', '34', '40', '42', '44', '54', 'P0', 'XX'];
    const ofOthers = ['40P01', '40001'];
    fc.assert(
      fc.property(
        stateOf(...ofStatements).filter((code) => !ofOthers.includes(code)),
        (code) => {
          expect([
            isDatabaseUnavailable(withCode(code)),
            isConnectionSpent(withCode(code)),
            isDatabaseUnreached(withCode(code)),
          ]).toEqual([false, false, false]);
        },
      ),
    );
  });

  it.each([
    '25006',
    '55000',
    '57P01',
    '57P02',
    '57P03',
    '57P04',
    '57P05',
    '25P03',
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOTFOUND',
    'EPIPE',
    'ETIMEDOUT',
  ])('%s means that the database is unavailable and the connection unusable', (code) => {
    expect([isDatabaseAway(withCode(code)), isConnectionSpent(withCode(code))]).toEqual([true, true]);
  });

  it.each(['25001', '25P02', '55006', '57000', '57014', '55P03'])(
    '%s does not mean that the database is unavailable',
    (code) => {
      expect(isDatabaseAway(withCode(code))).toBe(false);
    },
  );

  it.each(['57014', '55P03', '40P01', '40001'])(
    '%s means that the database is busy and the connection usable',
    (code) => {
      const error = withCode(code);
      expect([
        isDatabaseBusy(error),
        isDatabaseUnavailable(error),
        isDatabaseUnreached(error),
        isConnectionSpent(error),
      ]).toEqual([true, true, true, false]);
    },
  );

  it.each([
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
  ])('"%s" means that the database is unavailable', (message) => {
    expect(isDatabaseAway(new Error(message))).toBe(true);
  });

  it('counts once if every address of a host fails', () => {
    const refusals = new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')]);
    expect([isDatabaseAway(refusals), isDatabaseUnreached(refusals)]).toEqual([true, true]);
  });

  it.each([new Error('boom'), 'text', null, undefined])('is not recognized in %p', (error) => {
    expect([
      isDatabaseUnavailable(error),
      isDatabaseUnreached(error),
      failsWholeBatch(error),
      isConnectionSpent(error),
    ]).toEqual([false, false, false, false]);
  });

  it('distinguishes a statement without effect from a lost response', () => {
    for (const code of ['ECONNREFUSED', '53300', '57P03', '25006', '53100', '55000'])
      expect(isDatabaseUnreached(withCode(code))).toBe(true);
    expect(isDatabaseUnreached(new Error('timeout exceeded when trying to connect'))).toBe(true);
    for (const code of ['ECONNRESET', '57P01', '08006']) expect(isDatabaseUnreached(withCode(code))).toBe(false);
    for (const message of ['Connection terminated unexpectedly', 'Query read timeout'])
      expect(isDatabaseUnreached(new Error(message))).toBe(false);
  });
});
