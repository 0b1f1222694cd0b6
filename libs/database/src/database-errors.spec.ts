import { isDatabaseAway, isDatabaseUnreached } from './database-errors';

const withCode = (code: string): Error => Object.assign(new Error('failed'), { code });

describe('a database error', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', '08006', '53300', '57P01', '57P03'])('%s means that the database is away', (code) => {
    expect(isDatabaseAway(withCode(code))).toBe(true);
  });

  it.each(['timeout exceeded when trying to connect', 'Connection terminated unexpectedly', 'Connection terminated due to connection timeout'])(
    '"%s" means that the database is away',
    (message) => {
      expect(isDatabaseAway(new Error(message))).toBe(true);
    },
  );

  it('counts a refusal on every address of the name as one', () => {
    expect(isDatabaseAway(new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')]))).toBe(true);
  });

  it.each([withCode('23505'), withCode('22021'), withCode('57014'), new Error('boom'), 'text', null])('%p does not', (error) => {
    expect(isDatabaseAway(error)).toBe(false);
  });
});

it('isDatabaseUnreached tells a statement that was never sent from one whose answer was lost', () => {
  const failure = (code: string, message = 'x') => Object.assign(new Error(message), { code });
  for (const code of ['ECONNREFUSED', '53300', '57P03']) expect(isDatabaseUnreached(failure(code))).toBe(true);
  expect(isDatabaseUnreached(new Error('timeout exceeded when trying to connect'))).toBe(true);
  for (const code of ['ECONNRESET', '57P01', '08006']) expect(isDatabaseUnreached(failure(code))).toBe(false);
  expect(isDatabaseUnreached(new Error('Connection terminated unexpectedly'))).toBe(false);
});
